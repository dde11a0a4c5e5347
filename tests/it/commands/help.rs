//! The help of every command in both languages, as a reference.

use super::novel;
use novel::commands::tree;
use novel::report::Lang;

fn commands(command: &clap::Command, path: &[String]) -> Vec<Vec<String>> {
    let mut all = vec![path.to_vec()];
    for child in command.get_subcommands() {
        let below: Vec<String> = path.iter().cloned().chain([child.get_name().to_owned()]).collect();
        all.extend(commands(child, &below));
    }
    all
}

/// The long help of every command, one after the other.
fn reference(lang: Lang) -> String {
    let home = tempfile::tempdir().unwrap();
    let page = |path: &Vec<String>| {
        let output = novel(home.path()).args(path).args(["--help", "--lang", lang.as_str()]).output().unwrap();
        assert!(output.status.success(), "{path:?}");
        // The version is not the reference's business, and neither are spaces at the ends of lines.
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        format!("======= novel {}\n{}\n", path.join(" "), lines.join("\n").trim_end())
    };
    commands(&tree(Lang::En, "novel"), &[]).iter().map(page).collect()
}

#[test]
fn english() {
    insta::assert_snapshot!(reference(Lang::En));
}

#[test]
fn chinese() {
    insta::assert_snapshot!(reference(Lang::Zh));
}
