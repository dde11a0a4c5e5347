//! `novel setup`: from nothing to a model that answers.

use crate::common::{Output, World};
use crate::llm::server::{Answer, Received, Server};
use serde_json::json;
use std::io::Write as _;
use std::process::Stdio;

const KEY: &str = "my-own-key-0123456789";
const CONFIG: &str = "home/.config/novel/config.toml";

/// A server of models that takes one key and lists these models.
fn server(models: &'static [&'static str]) -> Server {
    Server::answering(move |request: &Received| {
        let list = json!({"data": models.iter().map(|id| json!({"id": id})).collect::<Vec<_>>()});
        match request.header("authorization") == format!("Bearer {KEY}") {
            true if request.path.ends_with("/models") => Answer::raw(200, "application/json", list.to_string()),
            true => Answer::openai_stream("好"),
            false => Answer::error(401, "Incorrect API key"),
        }
    })
}

/// Runs the command with a key on standard input.
fn given(world: &World, key: &str, args: &[&str]) -> Output {
    let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(""));
    let mut child =
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The command may refuse its arguments before it reads the key.
    let _ = child.stdin.take().unwrap().write_all(key.as_bytes());
    let output = child.wait_with_output().unwrap();
    Output {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

fn setup<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--lang", "en", "setup", "--provider", "openai", "--base-url", url][..], more].concat()
}

#[test]
fn one_command_sets_up_a_model_and_its_key_is_only_in_a_private_file() {
    let (world, server) = (World::new(), server(&["m-only"]));
    let url = server.openai_url();
    let done = given(&world, &format!("{KEY}\n"), &setup(&url, &["--key-file", "-", "--json"]));
    assert_eq!(done.code, 0, "{done:#?}");
    let answer = done.json();
    assert_eq!((&answer["provider"], &answer["model"]), (&json!("openai"), &json!("m-only")), "{answer:#}");
    assert_eq!(answer["key"]["in"], "file");
    assert!(answer["test"]["input_tokens"].as_u64() > Some(0), "{answer:#}");
    assert_eq!((&answer["language"], &answer["currency"]), (&json!("en"), &json!("usd")), "{answer:#}");
    assert!(!format!("{done:?}{}", world.read(CONFIG)).contains(KEY));
    let kept = world.path("home/.config/novel/keys/openai");
    assert_eq!(std::fs::read_to_string(&kept).unwrap().trim(), KEY);
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&kept.metadata().unwrap().permissions()) & 0o077, 0);

    // A book uses these settings.
    let _ = world.novel("", &["init", "book", "--genre", "悬疑"]).ok();
    assert!(world.novel("book", &["doctor", "--online", "--lang", "en"]).ok().contains("no problems found"));
}

#[test]
fn a_key_that_is_refused_changes_nothing() {
    let (world, server) = (World::new(), server(&["m-only"]));
    let url = server.openai_url();
    world.write(CONFIG, "# mine\nprovider = \"kimi\"\n");
    let wrong = "another-key-0123456789";
    for more in [&["--key-file", "-"][..], &["--key-file", "-", "--model", "m"]] {
        let refused = given(&world, wrong, &setup(&url, more)).fails(4);
        assert!(refused.stderr.contains("nothing was changed") && refused.stderr.contains("/api-keys"), "{refused:#?}");
        assert!(!refused.stderr.contains(wrong) && !refused.stderr.contains("NOVEL_API_KEY"), "{refused:#?}");
    }
    let line = ["--lang", "en", "setup", "--provider", "openai", "--key-env", "NOPE"];
    let unset = world.novel("", &line).fails(4);
    assert!(unset.stderr.contains("NOPE is not set") && !unset.stderr.contains("unset key_env"), "{unset:#?}");
    let empty = given(&world, " \n", &setup(&url, &["--key-file", "-"])).fails(1);
    assert!(empty.stderr.contains("no key was given"), "{empty:#?}");
    assert_eq!(world.read(CONFIG), "# mine\nprovider = \"kimi\"\n");
    assert!(!world.path("home/.config/novel/keys").exists());

    // Later as well the place of the key is named.
    let world = World::new().with("DEEPSEEK_API_KEY", wrong);
    let _ = world.novel("", &["init", "book", "--genre", "悬疑"]).ok();
    world.write(CONFIG, &format!("provider = \"deepseek\"\nbase_url = \"{url}\"\nmodel = \"m\"\n"));
    let refused = world.novel("book", &["--lang", "en", "world", "update"]).fails(4);
    assert!(refused.stderr.contains("the one in `DEEPSEEK_API_KEY`"), "{refused:#?}");
}

#[test]
fn another_server_gets_neither_the_key_nor_the_model_of_the_one_before() {
    let world = World::new().with("OWN_KEY", KEY);
    world.write(
        CONFIG,
        "provider = \"openai\"\nbase_url = \"https://relay.example/v1\"\nmodel = \"theirs\"\nrevise_model = \"theirs\"\n\
         key_file = \"keys/openai\"\nwire = \"openai\"\nfallback = \"kimi:kimi-k3\"\nbudget = \"5usd\"\n\
         [agents]\njudge = \"theirs\"\nwriter = \"kimi:kimi-k3\"\n",
    );
    let line = ["setup", "--provider", "deepseek", "--key-env", "OWN_KEY", "--no-test"];
    let _ = world.novel("", &line).ok();
    assert_eq!(
        world.read(CONFIG),
        "provider = \"deepseek\"\nfallback = \"kimi:kimi-k3\"\nbudget = \"5usd\"\nkey_env = \"OWN_KEY\"\n[agents]\nwriter = \"kimi:kimi-k3\"\n"
    );
    let line = ["setup", "--provider", "ollama", "--model", "qwen3:8b", "--no-test"];
    let _ = world.novel("", &line).ok();
    assert_eq!(
        world.read(CONFIG),
        "provider = \"ollama\"\nfallback = \"kimi:kimi-k3\"\nbudget = \"5usd\"\nmodel = \"qwen3:8b\"\n[agents]\nwriter = \"kimi:kimi-k3\"\n"
    );
}

#[test]
fn a_variable_that_would_win_over_the_settings_is_named_before_they_are_written() {
    let world = World::new().with("NOVEL_MODEL", "theirs");
    let line = ["--lang", "en", "setup", "--provider", "ollama", "--model", "mine", "--no-test"];
    let refused = world.novel("", &line).fails(4);
    assert!(refused.stderr.contains("NOVEL_MODEL"), "{refused:#?}");
    assert!(!world.path(CONFIG).exists());
}

#[test]
fn without_a_terminal_each_question_names_its_flag() {
    let (world, server) = (World::new(), server(&["m-small", "m-large"]));
    let asked = world.novel("", &["--lang", "en", "setup"]).fails(3);
    assert!(asked.stderr.contains("`--provider`"), "{asked:#?}");
    let asked = world.novel("", &["--lang", "en", "setup", "--provider", "deepseek"]).fails(3);
    assert!(asked.stderr.contains("`--key-file -`") && asked.stderr.contains("platform.deepseek.com"), "{asked:#?}");
    let url = server.openai_url();
    let asked = given(&world, KEY, &setup(&url, &["--key-file", "-"])).fails(3);
    assert!(asked.stderr.contains("`--model`"), "{asked:#?}");
    let unset = world.novel("", &["--lang", "en", "config", "providers"]).ok();
    assert!(!unset.contains("* openai"), "{unset}");
}

#[test]
fn the_command_of_the_settings_hears_how_a_run_ended_and_a_book_names_none() {
    let world = World::new();
    let hears =
        |to: &str| format!("printf '%s|%s|%s' \"$1\" \"$2\" \"$NOVEL_NOTICE_EXIT\" >> '{}'", world.path(to).display());
    let _ = world.novel("", &["config", "set", "notify", &hears("heard")]).ok();
    let title = "$(touch ran) `x`";
    let _ = world.novel("", &["init", "book", "--title", title, "--genre", "悬疑", "--offline"]).ok();
    assert!(!world.path("heard").exists(), "no agent has worked");
    let line = ["--lang", "en", "start", "--answer", "found", "--style", "suspense"];
    let _ = world.novel("book", &line).fails(3);
    let heard = world.read("heard");
    assert!(heard.starts_with(&format!("{title}: your decision is needed|")) && heard.ends_with("|3"), "{heard}");
    let told = world.read("book/novel.toml");
    world.write("book/novel.toml", &format!("notify = \"touch ran\"\n{told}"));
    let _ = world.novel("book", &["--lang", "en", "continue"]);
    assert!(!world.path("book/ran").exists() && !world.path("ran").exists());
}

#[cfg(unix)]
#[test]
fn settings_that_are_a_link_stay_one() {
    let world = World::new();
    world.write("dotfiles/novel.toml", "# mine\n");
    std::fs::create_dir_all(world.path("home/.config/novel")).unwrap();
    std::os::unix::fs::symlink(world.path("dotfiles/novel.toml"), world.path(CONFIG)).unwrap();
    let _ = world.novel("", &["setup", "--provider", "ollama", "--model", "m", "--no-test"]).ok();
    assert!(world.path(CONFIG).is_symlink());
    let settings = world.read("dotfiles/novel.toml");
    assert!(settings.contains("# mine") && settings.contains("provider = \"ollama\""), "{settings}");
}

#[test]
fn settings_that_cannot_be_written_are_told_before_a_model_is_asked() {
    let (world, server) = (World::new(), server(&["m-only"]));
    let url = server.openai_url();
    world.write("file", "no folder");
    let config = world.path("file/config.toml").display().to_string();
    let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(""));
    let args = setup(&url, &["--key-env", "OWN_KEY"]);
    let done = command.args(args).env("OWN_KEY", KEY).env("NOVEL_CONFIG", &config).output().unwrap();
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(4), "{told}");
    assert!(told.contains(&config), "{told}");
    assert_eq!(server.requests().len(), 0);
}
