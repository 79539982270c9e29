//! Templates of study files: every key of a kind with its meaning, ready to play.

use super::Study;
use super::typed::Example;

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
mod tests {
    use super::*;
    use carat_core::library::Library;

    /// Each template is valid and names every key of its kind; keys in comments are valid too.
    #[test]
    fn templates_are_whole_and_sound() {
        for kind in Study::KINDS {
            let text = Study::template(kind);
            let study = Study::from_toml(kind, &text).unwrap();
            let resolved = study.resolve(&Library::default().with_stand_ins());
            assert!(resolved.is_ok(), "{kind}");
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                let Some(_) = line.strip_prefix("# ").and_then(|l| l.split_once(" = ")) else {
                    continue;
                };
                let mut given = lines.clone();
                given[at] = &line[2..];

                let given = given.join("\n");
                let read = Study::from_toml(kind, &given);
                assert!(read.is_ok(), "{kind}: {}", read.unwrap_err());
            }
            for key in Study::keys(kind) {
                let named = [
                    format!("\n{key} = "),
                    format!("\n# {key} = "),
                    format!("[{key}]"),
                ];
                let is_named = named.iter().any(|named| text.contains(named));
                assert!(is_named, "{kind}: {key}");
            }
        }
    }
}
