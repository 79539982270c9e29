//! Templates of study files: every key of a kind with its meaning, ready to play.

use super::Study;
#[cfg(feature = "clap")]
use super::options::Example;

/// Comments are broken between words before this column.
const WIDTH: usize = 98;

impl Study {
    pub fn template(kind: &str) -> String {
        let mut text = format!(
            "## Save this as mine.toml, edit it, and play it with `carat run mine.toml`.\n## A \
             key after a # is not set: remove the # to set it.\n\nstudy = \"{kind}\"\n"
        );
        let command = Study::command(kind);
        for key in Study::keys(kind) {
            let arg = command.get_arguments().find(|arg| arg.get_id() == key);
            let Some((arg, example)) = arg.and_then(|arg| Some((arg, arg.get::<Example>()?)))
            else {
                continue;
            };
            let help = arg.get_help().map(ToString::to_string);
            text += "\n";
            comment(&mut text, &help.unwrap_or_default());
            let hidden = if example.given { "" } else { "# " };
            text += &format!("{hidden}{key} = {}\n", example.value);
        }
        text
    }
}

fn comment(text: &mut String, words: &str) {
    let mut line = "##".to_string();
    for word in words.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH {
            *text += &format!("{line}\n");
            line = "##".to_string();
        }
        line += " ";
        line += word;
    }
    *text += &format!("{line}\n");
}

#[cfg(test)]
#[path = "../../../tests/unit/studies/study/template.rs"]
mod tests;
