//! `novel doctor --judge` from outside: a judge who notices flaws, one who scores everything alike, one whose scores jump, and one
//! who never gives a report; what is asked before money is spent, and what stays of an interrupted trial.

use crate::common::{Output, World};
use crate::llm::server::{Answer, Received, Server};
use novel::agents::calibration::specimens;
use novel::domain::book::config::BookConfig;
use novel::domain::chapter::evaluation::{Dimension, Reading};
use serde_json::{Map, Value, json};

const BOOK: &str = "book";
/// Two texts, each read three times as it is and once with each flaw.
const READINGS: usize = 22;

/// The judge that is tried.
#[derive(Clone, Copy)]
enum Judge {
    /// Scores a flaw 1.2 points lower.
    Trusty,
    /// 4.0, whatever is read.
    Flat,
    /// Notices flaws, and scores the same text half a point higher the next time.
    Jumpy,
    /// Notices flaws and gives no report on the flaw of pacing.
    Mumbling,
}

/// The reading that a request is for.
fn reading_of(request: &Received) -> Reading {
    let prompt = request.prompt();
    let asked = |reading: &Reading| {
        let texts = specimens(&BookConfig::default());
        texts.iter().any(|text| text.chapter(*reading).is_some_and(|chapter| prompt.contains(chapter.body.trim())))
    };
    Reading::all().into_iter().find(asked).unwrap_or_else(|| panic!("no text of the set: {prompt}"))
}

fn report(score: impl Fn(Dimension) -> f64) -> Value {
    let scores: Map<String, Value> = Dimension::ALL
        .iter()
        .map(|of| (of.as_str().to_owned(), json!({"evidence": "", "reason": "起头稳，收得住", "score": score(*of)})))
        .collect();
    json!({"checks": [], "passed": [], "not_applicable": [], "scores": scores, "risk_flags": [], "required_fixes": [],
        "issues": [], "strengths": []})
}

fn served(judge: Judge) -> Server {
    let mut clean = 0;
    Server::answering(move |request| {
        let reading = reading_of(request);
        let flaw = match reading {
            Reading::Flawed(dimension) => Some(dimension),
            Reading::Clean(_) => None,
        };
        clean += usize::from(flaw.is_none());
        let lower = |of: Dimension| if flaw == Some(of) { 1.2 } else { 0.0 };
        match judge {
            Judge::Mumbling if flaw == Some(Dimension::Pacing) => Answer::openai_stream("这一章我很喜欢。"),
            Judge::Trusty | Judge::Mumbling => Answer::openai_json(&report(|of| 4.2 - lower(of))),
            Judge::Flat => Answer::openai_json(&report(|_| 4.0)),
            Judge::Jumpy => {
                let jump = if clean % 2 == 0 { 0.5 } else { 0.0 };
                Answer::openai_json(&report(|of| 4.0 + jump - lower(of)))
            }
        }
    })
}

/// A demo book of one chapter whose model is behind the server, at that price for a million tokens.
pub(super) fn world(server: &Server, price: Option<&str>) -> World {
    let world = World::new();
    world.write("home/.gitconfig", "[user]\nname = A\nemail = a@b\n[init]\ndefaultBranch = main\n");
    let _ = world.demo_with(1);
    let settings = world.path("book/novel.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("offline = true", "offline = false")).unwrap();
    let _ = world.git(BOOK, &["commit", "-qam", "a model writes"]).ok();
    let world = world
        .with("NOVEL_PROVIDER", "openai")
        .with("NOVEL_MODEL", "quill")
        .with("NOVEL_REVISE_MODEL", "quill")
        .with("OPENAI_API_KEY", "k");
    let Some(price) = price else { return world.with("NOVEL_BASE_URL", &server.openai_url()) };
    // Models of this machine cost nothing, so the server answers as the proxy of a host that is not there.
    let rates = format!("input = {price}, output = {price}, cache_read = {price}");
    world.write(
        "prices.toml",
        &format!("as_of = \"2026-01-01\"\n[[model]]\nname = \"quill\"\ntiers = [{{ {rates} }}]\n"),
    );
    let path = world.path("prices.toml");
    world
        .with("http_proxy", &server.anthropic_url())
        .with("NOVEL_BASE_URL", "http://models.test/v1")
        .with("NOVEL_PLAIN_HTTP", "models.test")
        .with("NOVEL_PRICES", path.to_str().unwrap())
}

fn head(world: &World) -> String {
    world.git(BOOK, &["rev-parse", "main"]).ok()
}

fn result(said: &Output) -> Value {
    let lines = said.json_lines();
    lines.into_iter().find(|line| line["event"] == "calibration").unwrap_or_else(|| panic!("{said:#?}"))
}

#[test]
fn a_judge_who_notices_flaws_and_repeats_itself_is_trusted() {
    let server = served(Judge::Trusty);
    let world = world(&server, None);
    let before = head(&world);
    let said = world.novel(BOOK, &["doctor", "--judge", "--yes", "--json"]).fails(0);
    let result = result(&said);
    assert_eq!(server.requests().len(), READINGS);
    assert_eq!(
        (&result["trusted"], &result["readings"], &result["unread"]),
        (&json!(true), &json!(READINGS), &json!(0))
    );
    for row in result["dimensions"].as_array().unwrap() {
        assert_eq!((&row["drop"], &row["spread"], &row["trusted"]), (&json!(1.2), &json!(0.0), &json!(true)), "{row}");
    }
    assert_eq!(head(&world), before, "the book is as it was");
    assert_eq!(world.git(BOOK, &["status", "--porcelain"]).ok(), "");
    assert_eq!(world.git(BOOK, &["branch", "--list", "draft/*"]).ok(), "", "the draft is put aside");
    let kept = result["kept"].as_str().unwrap();
    let report = world.git(BOOK, &["show", &format!("{kept}:.draft/calibration/courtyard-pacing.json")]).ok();
    assert!(report.contains("\"pacing\""), "{report}");
    let costs = world.novel(BOOK, &["cost", "--json"]).json();
    let row = costs["rows"].as_array().unwrap().iter().find(|row| row["name"] == "calibration").cloned();
    assert_eq!(row.unwrap_or_else(|| panic!("{costs}"))["calls"], READINGS);
    let told = world.novel(BOOK, &["doctor", "--judge", "--yes", "--lang", "en"]).fails(0).stderr;
    assert!(told.contains("[1/22] ") && told.contains("[22/22] "), "{told}");
}

#[test]
fn a_judge_who_scores_everything_alike_or_jumps_is_not_trusted() {
    let cases = [
        (Judge::Flat, json!(0.0), json!(0.0), "misses the flaw"),
        (Judge::Jumpy, Value::Null, json!(0.5), "inconsistent"),
    ];
    for (judge, drop, spread, word) in cases {
        let server = served(judge);
        let world = world(&server, None);
        let said = world.novel(BOOK, &["doctor", "--judge", "--yes", "--json"]).fails(1);
        for row in result(&said)["dimensions"].as_array().unwrap() {
            assert_eq!((&row["trusted"], &row["spread"]), (&json!(false), &spread), "{row}");
            assert!(drop.is_null() || row["drop"] == drop, "{row}");
        }
        let said = world.novel(BOOK, &["doctor", "--judge", "--yes"]).fails(1);
        assert!(said.stdout.contains(word) && said.stdout.contains("cannot be fully trusted"), "{said:#?}");
        assert!(said.stdout.contains("novel config set agents.judge"), "{said:#?}");
        let said = world.novel(BOOK, &["--lang", "zh", "doctor", "--judge", "--yes"]).fails(1);
        assert!(said.stdout.contains("不完全可信") && said.stdout.contains("情节逻辑"), "{said:#?}");
    }
}

#[test]
fn a_reading_without_a_report_is_said_and_trusted_nowhere() {
    let server = served(Judge::Mumbling);
    let world = world(&server, None);
    let said = world.novel(BOOK, &["doctor", "--judge", "--yes", "--json"]).fails(1);
    let result = result(&said);
    assert_eq!(result["unread"], 2, "one a text");
    let distrusted = result["dimensions"].as_array().unwrap().iter().filter(|row| row["trusted"] == false);
    assert_eq!(distrusted.map(|row| row["dimension"].clone()).collect::<Vec<_>>(), ["pacing"]);
}

#[test]
fn money_is_asked_for_first_and_an_interrupted_trial_goes_on() {
    let server = served(Judge::Trusty);
    let world = world(&server, Some("10.0"));
    let said = world.novel(BOOK, &["doctor", "--judge"]).fails(3);
    assert!(said.stderr.contains("22 texts, for about $") && said.stderr.contains("--judge --yes"), "{said:#?}");
    assert!(server.requests().is_empty(), "nothing is sent without leave");
    let said = world.novel(BOOK, &["doctor", "--judge", "--yes", "--budget", "0.3usd"]).fails(6);
    let paid = server.requests().len();
    assert!((1..READINGS).contains(&paid), "{paid} calls: {said:#?}");
    let said = world.novel(BOOK, &["doctor", "--judge", "--yes", "--json"]).fails(0);
    assert_eq!(result(&said)["resumed"], paid);
    assert_eq!(server.requests().len(), READINGS, "no reading is paid for twice");
    assert!(result(&said)["cost_usd"].as_f64().is_some_and(|cost| cost > 0.0));
}

#[test]
fn there_is_nothing_to_try_where_no_model_judges() {
    let world = World::new();
    let _ = world.demo_with(1);
    let said = world.novel(BOOK, &["doctor", "--judge", "--yes"]).fails(4);
    assert!(said.stderr.contains("does not read texts"), "{said:#?}");
    let _ = world.novel(BOOK, &["doctor", "--yes"]).fails(2);
    let _ = world.novel(BOOK, &["doctor", "--judge", "--repair"]).fails(2);
}
