//! Stands in for a model in measurements: a server on loopback that answers every call of a chapter, at once or after a delay.
//!
//! ```text
//! cargo test --bench model -- [--delay SECONDS] [--text FILE] [--words COUNT]
//! ```
//!
//! It prints the base URL for OpenAI's wire and serves until its standard input ends. Chapters are pieces of FILE, a long
//! text, or a text of no meaning; a real one is what the sizes of a book can be judged by.
#![allow(clippy::unwrap_used, missing_docs, dead_code, unreachable_pub)]

#[path = "../tests/it/llm"]
mod llm {
    pub mod server;
}
#[path = "../tests/it/pipeline/script.rs"]
mod script;

use llm::server::{Received, Server};
use novel::llm::Wire;
use script::{Reply, Script, draft_of, edits, score, stage_of};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::time::Duration;

/// The texts of the chapters.
struct Source {
    /// The long text, a piece for each chapter; none for a text of no meaning.
    pieces: Vec<String>,
    /// So many characters make a chapter.
    words: usize,
    /// The chapter that was asked for last, and its text.
    now: (u32, String),
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

    fn answer(&mut self, request: &Received) -> Reply {
        match stage_of(request) {
            "draft" => {
                let prompt = request.prompt();
                let task = prompt.rfind("# 任务").map_or("", |at| &prompt[at..]);
                let number = task.split_once("第 ").and_then(|(_, rest)| rest.split_once(' '));
                let chapter = number.map_or(1, |(number, _)| number.parse().unwrap());
                self.now = (chapter, self.chapter(chapter));
                self.now.1.clone().into()
            }
            stage @ ("refine" | "polish") => {
                let sentences = self.now.1.split(['。', '，']).filter(|part| (8..40).contains(&part.chars().count()));
                let skipped = if stage == "refine" { 6 } else { 9 };
                let found = sentences.filter(|part| !part.contains('\n')).nth(skipped).unwrap_or_default();
                let shorter: String = found.chars().skip(1).collect();
                edits(&[(found, &shorter)]).into()
            }
            "summarize" => json!({
                "summary": format!("第 {} 章里，沈渡在渡口对上了一张船票，又丢了另一张。守夜人替他遮掩，天亮前他回到栈桥。", self.now.0),
                "ops": [],
                "memory": format!("第 {} 夜的船票少了一张。", self.now.0),
                "line_status": "沈渡还在查舱单。",
                "cross_references": [],
            })
            .into(),
            "judge" | "judge-2" => {
                let mut report = score(4.2);
                report["checks"] = json!([]);
                report["passed"] = json!(rules(&request.prompt()));
                report.into()
            }
            _ => Script::default().take(request),
        }
    }
}

/// The ids of the rules that a prompt names: `LS-001`, `OBJ-012-2`.
fn rules(prompt: &str) -> BTreeSet<&str> {
    let words = prompt.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| ["LS-", "OBJ-", "W-", "C-"].iter().any(|kind| word.starts_with(kind))).collect()
}

fn main() {
    let mut source = Source { pieces: Vec::new(), words: 3000, now: (0, String::new()) };
    let (mut delay, mut text) = (Duration::ZERO, None);
    let mut given = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(option) = given.next() {
        let value = given.next().unwrap();
        match option.as_str() {
            "--delay" => delay = Duration::from_secs_f64(value.parse().unwrap()),
            "--words" => source.words = value.parse().unwrap(),
            "--text" => text = Some(std::fs::read_to_string(value).unwrap()),
            other => panic!("{other} is not an option"),
        }
    }
    if let Some(text) = text {
        source.cut(&text);
    }
    let server = Server::answering(move |request| {
        std::thread::sleep(delay);
        source.answer(request).over(Wire::OpenAi)
    });
    println!("{}", server.openai_url());
    let _ = std::io::stdin().read(&mut [0]);
}
