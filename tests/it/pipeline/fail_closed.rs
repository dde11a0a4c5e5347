//! Settings that cannot be used: the command stops before anything is sent, and names the setting and its source.

use super::money::priced;
use super::script::draft;
use super::studio::Studio;
use crate::common::Output;
use novel::llm::Wire;

/// Every command that may spend.
const SPENDING: [&[&str]; 5] =
    [&["continue"], &["continue", "--dry-run"], &["write", "2"], &["world", "update", "多一条河"], &["world", "theme"]];
/// Commands that ask no model.
const READING: [&[&str]; 4] = [&["status"], &["show", "ch-001"], &["log"], &["doctor"]];

/// Nothing is sent with that setting, the message has these words, and what reads still works.
#[track_caller]
fn stops(studio: &Studio, said: &[&str]) {
    for args in SPENDING {
        let run = studio.novel(args).fails(4);
        for words in said {
            assert!(run.stderr.contains(words), "`{words}` in {args:?}: {run:#?}");
        }
    }
    for args in READING {
        let run = studio.novel(args);
        assert_eq!(run.code, 0, "{args:?}: {run:#?}");
    }
    assert!(studio.asked().is_empty(), "{:?}", studio.asked());
}

#[test]
fn a_variable_that_cannot_be_used_sends_nothing() {
    let cases = [
        ("NOVEL_BASE_URL", "127.0.0.1:9000/v1", "starts with https:// or http://"),
        ("NOVEL_BASE_URL", "https://me:secret@127.0.0.1/v1", "a user name or password"),
        ("NOVEL_BASE_URL", "http://127.0.0.1/v1?key=1", "a `?` or `#` part"),
        ("NOVEL_BASE_URL", "http://127.0.0.1/v1#x", "a `?` or `#` part"),
        ("NOVEL_PROVIDER", "opeanai", "did you mean openai?"),
        ("NOVEL_WIRE", "opanai", "anthropic, openai"),
        ("NOVEL_OFFLINE", "perhaps", "true or false"),
        ("NOVEL_BUDGET", "0.01 dollars", "use an amount"),
        ("NOVEL_BASEURL", "http://127.0.0.1:9000/v1", "did you mean NOVEL_BASE_URL?"),
        ("NOVEL_KEY_ENV", "MY_OWN_KEY", "MY_OWN_KEY"),
    ];
    for (wire, at) in [(Wire::OpenAi, 0), (Wire::Anthropic, 1)] {
        // Half of the cases over each wire: nothing is sent over either.
        for (name, value, said) in cases.iter().skip(at).step_by(2) {
            let studio = Studio::over(wire).with(name, value);
            stops(&studio, &[name.trim_start_matches("NOVEL_KEY_ENV"), said]);
            assert!(!studio.go().stderr.contains("secret@"));
        }
    }
}

#[test]
fn a_flag_that_cannot_be_used_is_a_wrong_command_line() {
    let studio = Studio::new();
    let said = |args: &[&str], words: &str| {
        let run = studio.novel(args).fails(2);
        assert!(run.stderr.contains(words), "{run:#?}");
    };
    said(&["continue", "--provider", "opeanai"], "did you mean openai?");
    said(&["continue", "--budget", "0.01 dollars"], "use an amount");
    said(&["continue", "--retry-for", "ever"], "use a duration");
    assert!(studio.asked().is_empty());
}

#[test]
fn a_slip_in_the_users_file_sends_nothing() {
    for (line, said) in [
        ("baseurl = \"http://127.0.0.1:1/v1\"", "did you mean `base_url`?"),
        ("provder = \"kimi\"", "did you mean `provider`?"),
        ("api_key = \"abc\"", "key_env"),
        ("offline = \"perhaps\"", "true or false"),
        ("budget = \"much\"", "use an amount"),
        ("provider = ", "not valid TOML"),
        ("[budget]\nusd = 3", "no such setting: `budget.usd`"),
    ] {
        let studio = Studio::new();
        studio.world.write("config.toml", &format!("{line}\n"));
        let path = studio.world.path("config.toml");
        let studio = studio.with("NOVEL_CONFIG", path.to_str().unwrap());
        stops(&studio, &[said, "config.toml"]);
    }
    let studio = Studio::new().with("NOVEL_LANG", "zh");
    studio.world.write("config.toml", "provder = \"kimi\"\n");
    let path = studio.world.path("config.toml");
    let studio = studio.with("NOVEL_CONFIG", path.to_str().unwrap());
    assert!(studio.go().fails(4).stderr.contains("没有 provder 这一项，是不是 provider？"));
}

#[test]
fn a_switch_is_understood_in_every_usual_form() {
    for value in ["1", "yes", "TRUE", "on"] {
        let studio = Studio::new().with("NOVEL_OFFLINE", value);
        let line = studio.go().ok();
        assert!(line.starts_with("ch-002"), "{value}: {line}");
        assert!(studio.asked().is_empty(), "{value}");
    }
    let studio = Studio::new().with("NOVEL_OFFLINE", "no");
    let _ = studio.go().ok();
    assert!(!studio.asked().is_empty());
}

#[cfg(unix)]
#[test]
fn a_value_that_is_no_text_is_not_passed_over() {
    use std::os::unix::ffi::OsStrExt as _;
    let studio = Studio::new();
    for name in ["NOVEL_BUDGET", "OPENAI_API_KEY"] {
        let mut run = studio.world.command(env!("CARGO_BIN_EXE_novel"), &studio.path(""));
        let output = run.arg("continue").env(name, std::ffi::OsStr::from_bytes(b"\xff1")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(4) && text.contains(name) && text.contains("UTF-8"), "{text}");
    }
    assert!(studio.asked().is_empty());
}

#[test]
fn a_slip_in_the_books_settings_sends_nothing() {
    for (lines, said) in [
        ("[gate]\npass = 9", "`gate.pass`"),
        ("[gate]\npause = 4.5", "`gate.pause`"),
        ("[gate]\npas = 4.2", "mean `gate.pass`?"),
        ("[style]\nmax_refinement = 3", "`style.max_refinement`"),
        ("[context]\ntokens = 100", "at least 1000"),
        ("[budget]\nusdd = 3", "mean `budget.usd`?"),
        ("[budget]\nusd = 1\ncny = 7", "not both"),
        ("[mood]\nbudget = 3", ""),
    ] {
        let studio = Studio::new();
        let table = lines.lines().next().unwrap();
        let toml = studio.read("novel.toml");
        let toml: String = match toml.contains(&format!("\n{table}\n")) {
            // A table stands once, and a key in it once.
            true => {
                let keys: Vec<&str> = lines.lines().skip(1).map(|line| line.split(" = ").next().unwrap()).collect();
                let others = toml.lines().filter(|line| !keys.iter().any(|key| line.starts_with(&format!("{key} = "))));
                others.map(|line| format!("{}\n", if line == table { lines } else { line })).collect()
            }
            false => format!("{toml}\n{lines}\n"),
        };
        studio.write("novel.toml", &toml);
        if said.is_empty() {
            // A table of another program is left alone.
            let _ = studio.novel(&["continue", "--dry-run"]).ok();
            continue;
        }
        let run = studio.go().fails(4);
        assert!(run.stderr.contains(said) && run.stderr.contains("novel.toml"), "{lines}: {run:#?}");
        let status = studio.novel(&["status"]).ok();
        assert!(status.contains(said) && !status.contains("next: novel continue"), "{lines}: {status}");
        for args in [&["status"][..], &["show", "ch-001"], &["log"], &["metrics"]] {
            assert_eq!(studio.novel(args).code, 0, "{args:?} with {lines}");
        }
        assert!(studio.asked().is_empty());
    }
}

#[test]
fn a_key_is_not_sent_unencrypted_to_another_machine() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        let studio = Studio::over(wire);
        let proxy = studio.server.anthropic_url();
        let studio = studio.with("http_proxy", &proxy).with("NOVEL_BASE_URL", "http://models.test/v1");
        let run = studio.go().fails(4);
        assert!(run.stderr.contains("novel config set plain_http models.test"), "{run:#?}");
        assert!(studio.server.requests().is_empty());
        let studio = studio.with("NOVEL_PLAIN_HTTP", "other.test");
        let _ = studio.go().fails(4);
        assert!(studio.server.requests().is_empty());
        let studio = studio.with("NOVEL_PLAIN_HTTP", "models.test");
        let _ = studio.go().ok();
        studio.done();
    }
}

#[test]
fn a_server_on_this_machine_has_a_price_unless_the_user_says_that_it_has_none() {
    for wire in [Wire::OpenAi, Wire::Anthropic] {
        // An unknown price with a budget sends nothing.
        let studio = Studio::over(wire).with("NOVEL_PRICE", "");
        let run = studio.novel(&["continue", "--budget", "5usd"]).fails(4);
        assert!(
            run.stderr.contains("so the budget cannot be enforced") && run.stderr.contains("price free"),
            "{run:#?}"
        );
        assert!(studio.asked().is_empty());
        // A known price counts.
        let studio = studio.with("NOVEL_MODEL", "kimi-k3").with("NOVEL_REVISE_MODEL", "kimi-k3");
        let line = studio.go().ok();
        assert!(line.contains('$') && !line.contains("$0.00 "), "{line}");
        assert_ne!(studio.trailer("Novel-Cost"), "0.0000 USD");
        studio.done();
    }
    let studio = Studio::new().with("NOVEL_PRICE", "").with("NOVEL_PROVIDER", "vllm");
    let line = studio.novel(&["continue", "--budget", "0.01usd"]).ok();
    assert!(line.contains("$0.00"), "{line}");
    studio.done();
}

/// The amounts in a message.
fn says(run: &Output, amounts: &[&str]) {
    for amount in amounts {
        assert!(run.stderr.contains(amount), "{amount} in {run:#?}");
    }
}

#[test]
fn a_budget_in_yuan_holds_at_the_rate_of_the_table_or_the_users() {
    let studio = priced().with("NOVEL_EXCHANGE_RATE", "8");
    // 18 dollars pay for the longest possible draft and for nothing after it; so do 144 yuan at 8 to the dollar.
    let run = studio.novel(&["continue", "--budget", "144元"]).fails(6);
    says(&run, &["¥144.00 ($18.00)", "--budget"]);
    assert_eq!(studio.asked().first(), Some(&"draft"));
    let _ = studio.novel(&["continue", "--budget", "¥800"]).ok();
    studio.done();
    let origin = studio.novel(&["config", "--show-origin"]).ok();
    assert!(origin.contains("exchange_rate = 8"), "{origin}");
    let rate = studio.with("NOVEL_EXCHANGE_RATE", "").novel(&["config", "--show-origin"]).ok();
    assert!(rate.contains("built in (2026-"), "{rate}");
}

#[test]
fn a_price_in_yuan_is_kept_in_yuan_beside_the_dollars() {
    let studio = priced();
    let table = studio.world.read("prices.toml").replace("tiers", "currency = \"CNY\"\ntiers");
    studio.world.write("prices.toml", &table);
    let studio = studio.with("NOVEL_EXCHANGE_RATE", "8").on("draft", draft());
    let _ = studio.go().ok();
    let calls = studio.novel(&["show", "ch-002", "--calls", "--json"]).json();
    let cost = &calls["calls"][0]["cost"];
    let (usd, cny) = (cost["usd"].as_f64().unwrap(), cost["cny"].as_f64().unwrap());
    assert!((cny / usd - 8.0).abs() < 1e-6 && cny > 0.1, "{cost}");
    let shown = |studio: &Studio, lang| {
        let text = studio.novel(&["show", "ch-002", "--calls", "--lang", lang]).ok();
        let line = text.lines().find(|line| line.contains("459")).unwrap().to_owned();
        (line.contains('¥'), line.contains('$'))
    };
    assert_eq!((shown(&studio, "zh"), shown(&studio, "en")), ((true, false), (false, true)), "by the language");
    let studio = studio.with("NOVEL_CURRENCY", "cny");
    assert_eq!((shown(&studio, "zh"), shown(&studio, "en")), ((true, false), (true, false)), "by the setting");
    assert!(studio.trailer("Novel-Cost").ends_with(" USD"));
    studio.done();
}

#[test]
fn a_book_may_have_its_budget_in_yuan() {
    let studio = priced().with("NOVEL_EXCHANGE_RATE", "8");
    let toml = studio.read("novel.toml").replace("[budget]", "[budget]\ncny = 0.08");
    studio.write("novel.toml", &toml);
    says(&studio.go().fails(6), &["¥0.0800 ($0.0100)"]);
    assert!(studio.asked().is_empty());
}
