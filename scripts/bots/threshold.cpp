// A bot of Diamant: leaves once it holds enough.
//
//   g++ -O2 -o threshold scripts/bots/threshold.cpp
//   carat simulate diamant --seat "exec:./threshold 12" --others people

#include <cstdlib>
#include <iostream>
#include <string>

// The number after `key` in `line`, from `from` on, which then is behind it; false if there is none.
static bool number(const std::string &line, const std::string &key, size_t &from, double &value) {
    const size_t at = line.find(key, from);
    if (at == std::string::npos) return false;
    from = at + key.size();
    value = std::strtod(line.c_str() + from, nullptr);
    return true;
}

int main(int count, char **words) {
    const double target = count > 1 ? std::atof(words[1]) : 12;
    std::string line;
    std::getline(std::cin, line);  // what carat offers: the question and all features
    std::cout << R"({"features":["held"]})" << std::endl;
    while (std::getline(std::cin, line)) {
        size_t from = 0;
        double value = 0;
        number(line, R"("id":)", from, value);
        std::cout << R"({"id":)" << static_cast<long>(value) << R"(,"answers":[)";
        for (const char *comma = ""; number(line, R"("held":)", from, value); comma = ",")
            std::cout << comma << (value >= target ? "true" : "false");
        std::cout << "]}" << std::endl;
    }
}
