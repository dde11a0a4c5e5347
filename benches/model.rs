//! Stands in for a model in measurements: a server on loopback that answers every call of a chapter and of planning, at once or
//! after a delay.
//!
//! ```text
//! cargo test --bench model -- [--delay SECONDS | --unit SECONDS] [--revised N] [--text FILE] [--words COUNT] [--gaps FILE] [--input FILE]
//! ```
//!
//! With `--unit` a text takes three times as long as a judgement, a refinement twice and a summary three quarters; calls that come at the same
//! time are answered at the same time. With `--revised 5` the first text of every fifth chapter is revised.
//!
//! FILE of `--gaps` gets a line for each call: its stage, and the milliseconds since the answer before, which are the program's
//! own. FILE of `--input` gets a line for each call: its stage, the tokens of its prompt, and those of them at its beginning that stood
//! at the beginning of an earlier prompt, which a provider's cache serves. It prints the base URL for OpenAI's wire and serves until its standard input ends. Chapters are pieces of FILE, a long
//! text, or a text of no meaning; a real one is what the sizes of a book can be judged by.
#![allow(clippy::unwrap_used, clippy::print_stdout, dead_code, unreachable_pub)]

#[path = "../tests/it/llm"]
mod llm {
    pub mod server;
}
#[path = "../tests/it/pipeline/script.rs"]
mod script;

use llm::server::{Received, Server};
use novel::llm::{Wire, estimate};
use script::{Reply, Script, draft_of, edits, score, stage_of};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

/// The texts of the chapters.
struct Source {
    /// The long text, a piece for each chapter; none for a text of no meaning.
    pieces: Vec<String>,
    /// So many characters make a chapter.
    words: usize,
    /// The first text of every so many chapters is revised; 0 for none.
    revised: u32,
}

impl Source {
    /// Cuts the long text into chapters.
    fn cut(&mut self, text: &str) {
        let mut piece = String::new();
        for paragraph in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            piece.push_str(paragraph);
            piece.push_str("\n\n");
            if piece.chars().count() >= self.words {
                self.pieces.push(std::mem::take(&mut piece));
            }
        }
    }

    /// The text of a chapter, its heading included.
    fn chapter(&self, chapter: u32) -> String {
        let mut body = String::new();
        if self.pieces.is_empty() {
            // Shifted by its number, no part is like another.
            let parts = u32::try_from(self.words / 400 + 1).unwrap();
            for n in 0..parts {
                let part = draft_of(chapter * parts + n + 3);
                body.push_str(part.split_once("\n\n").unwrap().1);
                body.push('\n');
            }
        } else {
            body.push_str(&self.pieces[chapter as usize % self.pieces.len()]);
        }
        format!("# 第{chapter}章 渡口第{chapter}夜\n\n{body}")
    }

    /// The chapter whose text a prompt has, and that text. An answer that follows from the question alone is the same when a run is
    /// interrupted and the question comes again.
    fn shown_in(&self, prompt: &str) -> (u32, String) {
        let titles = prompt.split("渡口第").skip(1).filter_map(|rest| rest.split_once('夜')?.0.parse().ok());
        let chapters: BTreeSet<u32> = titles.collect();
        let texts = chapters.into_iter().rev().map(|chapter| (chapter, self.chapter(chapter)));
        let is_shown = |text: &str| text.lines().nth(2).is_some_and(|first| prompt.contains(first.trim()));
        texts.into_iter().find(|(_, text)| is_shown(text)).unwrap_or_default()
    }

    /// A chapter with the end of another one.
    fn revision(&self, chapter: u32) -> String {
        let half = |text: String, which: usize| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            if which == 0 { lines[..lines.len() / 2].join("\n") } else { lines[lines.len() / 2..].join("\n") }
        };
        format!("{}\n\n{}\n", half(self.chapter(chapter), 0), half(self.chapter(chapter + 500), 1))
    }

    /// True for the first text of a chapter that is to be revised.
    fn is_weak(&self, prompt: &str) -> bool {
        let (chapter, text) = self.shown_in(prompt);
        let last = text.lines().rfind(|line| !line.trim().is_empty());
        self.revised > 0 && chapter % self.revised == 0 && last.is_some_and(|last| prompt.contains(last.trim()))
    }

    fn answer(&self, request: &Received) -> Reply {
        match stage_of(request) {
            "draft" => {
                let prompt = request.prompt();
                let task = prompt.rfind("# 任务").map_or("", |at| &prompt[at..]);
                let number = task.split_once("第 ").and_then(|(_, rest)| rest.split_once(' '));
                let chapter = number.map_or(1, |(number, _)| number.parse().unwrap());
                self.chapter(chapter).into()
            }
            "revise" => self.revision(self.shown_in(&request.prompt()).0).into(),
            stage @ ("refine" | "polish") => {
                let (_, text) = self.shown_in(&request.prompt());
                let sentences = text.split(['。', '，']).filter(|part| (8..40).contains(&part.chars().count()));
                let skipped = if stage == "refine" { 6 } else { 9 };
                let found = sentences.filter(|part| !part.contains('\n')).nth(skipped).unwrap_or_default();
                let shorter: String = found.chars().skip(1).collect();
                edits(&[(found, &shorter)]).into()
            }
            "summarize" => {
                let (chapter, _) = self.shown_in(&request.prompt());
                json!({
                    "summary": format!("第 {chapter} 章里，沈渡在渡口对上了一张船票，又丢了另一张。守夜人替他遮掩，天亮前他回到栈桥。"),
                    "ops": [],
                    "memory": format!("第 {chapter} 夜的船票少了一张。"),
                    "line_status": "沈渡还在查舱单。",
                    "cross_references": [],
                })
                .into()
            }
            "judge" | "judge-2" => {
                let mut report = score(if self.is_weak(&request.prompt()) { 3.2 } else { 4.2 });
                report["checks"] = json!([]);
                report["passed"] = json!(rules(&request.prompt()));
                report.into()
            }
            _ => planned(request).unwrap_or_else(|| Script::default().take(request)),
        }
    }
}

/// The planners' answers: a world, a theme, two people, and a volume without foreshadowing.
fn planned(request: &Received) -> Option<Reply> {
    let reply = match stage_of(request) {
        "world" => json!({
            "rules": [{"category": "渡口", "rule": "子时之后不开船，开了的船要在舱单上记双倍的人数", "constraint_type": "hard",
                "exceptions": []}],
            "documents": [{"name": "ferry", "text": "北渡口有十七座栈桥，从东往西数。每座桥头有一间票房，夜里只留一盏灯。"}],
            "storyline": {"name": "舱单", "description": "一张对不上的舱单，牵出十二年前沉掉的那条船。"},
        }),
        "theme" => json!({
            "logline": "不会水的摆渡人要查清一张舱单，挡着他的是整个渡口的沉默，他最怕查到自己父亲头上。",
            "theme": "替人保密算不算说谎？",
            "conflict": "舱单上多出一个人。查下去，渡口的人都要丢饭碗；不查，那个人就白死了。",
            "ending": "十七盏灯一起亮着，船上没有人。",
        }),
        "cast" => json!({
            "characters": [
                person("沈渡", "protagonist", "十年没有下过水，船却撑得比谁都稳。想知道那晚船上到底有几个人。"),
                person("罗守拙", "supporting", "守了三十年票房，认票不认人。舱单是他写的，错也是他留下的。"),
            ],
            "relationships": [{"from": "沈渡", "to": "罗守拙", "type": "旧识", "note": "小时候在票房里写过作业"}],
        }),
        "schedule" => json!({
            "theme": "对舱单", "summary": "沈渡一夜一夜地对舱单", "hook": "多出来的人是谁", "new_storylines": [],
            "storylines": [{"id": "main-arc", "role": "primary", "chapters": 10, "goal": "查清舱单"}], "dormant": [],
            "primary_max_consecutive": 5, "secondary_every": 8, "seasoning_placement": "", "convergences": [],
            "foreshadowing": [],
        }),
        "outline" => {
            let prompt = request.prompt();
            let (before, _) = prompt.split_once(" 章的章纲，一章不多")?;
            let (before, last) = before.rsplit_once(" 章到第 ")?;
            let (_, first) = before.rsplit_once("第 ")?;
            let chapters: Vec<Value> = (first.parse().ok()?..=last.parse().ok()?).map(section).collect();
            json!({ "chapters": chapters })
        }
        _ => return None,
    };
    Some(reply.into())
}

fn person(name: &str, role: &str, profile: &str) -> Value {
    json!({
        "name": name, "aliases": [], "role": role, "profile": profile, "speech": "话短，先说数目，再说人。",
        "contracts": [{"type": "personality", "rule": "不当着外人提父亲", "exceptions": [], "update_requires": ""}],
    })
}

fn section(chapter: u32) -> Value {
    json!({
        "chapter": chapter, "title": format!("渡口第{chapter}夜"), "storyline": "main-arc", "pov": "沈渡",
        "location": format!("北渡口第{}号栈桥，夜里", chapter % 17 + 1),
        "conflict": format!("第{chapter}张船票对不上舱单，沈渡要在开船前查清，罗守拙不肯开柜"),
        "arc": "从只认票到开始认人", "foreshadowing": [], "state_changes": ["沈渡到了栈桥"], "transition": "",
    })
}

/// The ids of the rules that a prompt names: `LS-001`, `OBJ-012-2`.
fn rules(prompt: &str) -> BTreeSet<&str> {
    let words = prompt.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| ["LS-", "OBJ-", "W-", "C-"].iter().any(|kind| word.starts_with(kind))).collect()
}

/// How long the answer to a stage takes, beside that of the judge.
fn weight(stage: &str) -> f64 {
    match stage {
        "draft" | "revise" | "rewrite" => 3.0,
        "refine" | "polish" => 2.0,
        "summarize" => 0.75,
        _ => 1.0,
    }
}

/// The longest beginning of a prompt that an earlier one has too. The form of the answer counts as what comes first: providers serve
/// nothing of a prompt that asks for another one.
fn cached<'a>((form, prompt): &'a (Value, String), earlier: &[(Value, String)]) -> &'a str {
    let alike = earlier.iter().filter(|(other, _)| other == form);
    let equal = |(_, other): &(Value, String)| prompt.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let most = alike.map(equal).max().unwrap_or(0);
    prompt.char_indices().nth(most).map_or(prompt, |(at, _)| &prompt[..at])
}

fn main() {
    let mut source = Source { pieces: Vec::new(), words: 3000, revised: 0 };
    let (mut delay, mut unit, mut text) = (Duration::ZERO, Duration::ZERO, None);
    let (mut gaps, mut input) = (None, None);
    let mut given = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(option) = given.next() {
        let value = given.next().unwrap();
        match option.as_str() {
            "--delay" => delay = Duration::from_secs_f64(value.parse().unwrap()),
            "--unit" => unit = Duration::from_secs_f64(value.parse().unwrap()),
            "--revised" => source.revised = value.parse().unwrap(),
            "--words" => source.words = value.parse().unwrap(),
            "--text" => text = Some(std::fs::read_to_string(value).unwrap()),
            "--gaps" => gaps = Some(std::fs::File::create(value).unwrap()),
            "--input" => input = Some(std::fs::File::create(value).unwrap()),
            other => panic!("{other} is not an option"),
        }
    }
    if let Some(text) = text {
        source.cut(&text);
    }
    let mut answered: Option<Instant> = None;
    let mut earlier = Vec::new();
    let server = Server::answering(move |request| {
        if let Some(input) = &mut input {
            let asked = (request.json()["response_format"].take(), request.prompt());
            let (sent, cached) = (estimate(&asked.1), estimate(cached(&asked, &earlier)));
            writeln!(input, "{} {sent} {cached}", stage_of(request)).unwrap();
            earlier.push(asked);
        }
        if let (Some(gaps), Some(answered)) = (&mut gaps, answered) {
            writeln!(
                gaps,
                "{} {:.1}",
                stage_of(request),
                Instant::now().saturating_duration_since(answered).as_secs_f64() * 1000.0
            )
            .unwrap();
        }
        let reply = source.answer(request).over(Wire::OpenAi);
        let due = Instant::now() + delay + unit.mul_f64(weight(stage_of(request)));
        answered = Some(due);
        reply.held_until(move |_| Instant::now() >= due)
    });
    println!("{}", server.openai_url());
    let _ = std::io::stdin().read(&mut [0]);
}
