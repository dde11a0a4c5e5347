//! `novel mcp`: an assistant that speaks the protocol line by line, against a scripted model.

use super::script::{Reply, draft, score};
use super::studio::Studio;
use crate::common::World;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// An assistant's side of the connection.
struct Assistant {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
    /// Messages that are no answers: progress.
    told: Vec<Value>,
}

impl Assistant {
    fn of(world: &World, folder: &str) -> Self {
        let mut command = world.command(env!("CARGO_BIN_EXE_novel"), &world.path(folder));
        command.args(["--lang", "en", "mcp"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().unwrap();
        let (input, output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        let mut assistant = Self { server, input, output, asked: 0, told: Vec::new() };
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
        let answer = assistant.ask("initialize", hello);
        assert!(answer["instructions"].as_str().unwrap().contains("ask"), "{answer:#}");
        assistant.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        assistant
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn send_request(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "the server left");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message.get("result").unwrap_or(&message["error"]).clone();
            }
            self.told.push(message);
        }
    }

    /// A tool's answer, which is no failure.
    #[track_caller]
    fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.any(name, arguments);
        assert_eq!(answer["isError"], false, "{answer:#}");
        answer["structuredContent"].clone()
    }

    fn any(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": name, "arguments": arguments, "_meta": {"progressToken": "p"}}))
    }

    /// The assistant goes, and the server ends by itself.
    fn leave(mut self) {
        drop(self.input);
        assert!(self.server.wait().unwrap().success());
    }
}

#[test]
fn an_assistant_writes_is_asked_answers_and_reads_what_has_changed() {
    let studio = Studio::new().on("judge", score(2.4));
    let mut assistant = Assistant::of(&studio.world, "book");
    let tools = assistant.ask("tools/list", json!({}));
    let tool = |name: &str| {
        let mut found = tools["tools"].as_array().unwrap().iter().filter(|tool| tool["name"] == name);
        found.next().unwrap_or_else(|| panic!("no tool {name}")).clone()
    };
    assert_eq!(tool("status")["annotations"]["readOnlyHint"], true);
    assert_eq!(tool("rollback")["annotations"]["destructiveHint"], true);
    let schema = &tool("continue")["inputSchema"]["properties"];
    assert_eq!((&schema["count"]["type"], &schema["to"]["type"]), (&json!("integer"), &json!("string")));
    // A tool neither spends more or elsewhere than the author has set, nor reads files into the book.
    for name in ["stream", "json", "budget", "model", "provider"] {
        assert!(schema.get(name).is_none(), "{schema:#}");
    }
    let of_start = &tool("start")["inputSchema"]["properties"];
    assert!(of_start.get("research").is_none() && of_start.get("samples").is_none(), "{of_start:#}");

    let question = assistant.tool("continue", json!({"count": 1}));
    assert_eq!(question["type"], "requires_user_decision", "{question:#}");
    let progress: Vec<&str> = assistant.told.iter().filter_map(|told| told["params"]["message"].as_str()).collect();
    assert!(progress.contains(&"ch-002 judge"), "{progress:?}");
    assert_eq!(assistant.tool("status", json!({}))["last_completed"], 1);
    let refused = assistant.any("decide", json!({"decision": "next-volume"}));
    assert_eq!(refused["isError"], true, "{refused:#}");
    assert!(refused["structuredContent"]["error"]["message"].is_string(), "{refused:#}");
    let _ = assistant.tool("decide", json!({"decision": "accept"}));
    let accepted = assistant.tool("continue", json!({}));
    assert_eq!((&accepted["status"], &accepted["chapter"]), (&json!("completed"), &json!(2)), "{accepted:#}");
    assert!(assistant.tool("diff", json!({"a": "2", "stage": "draft..refine"})).is_object());
    let gone = assistant.any("rollback", json!({"target": ["1"]}));
    assert!(gone["isError"] == true && gone.to_string().contains("--yes"), "{gone:#}");
    assert_eq!(assistant.tool("rollback", json!({"target": "1", "dry_run": true}))["chapters_leaving"], json!([2]));
    assistant.leave();
    assert_eq!(studio.git(&["log", "--format=%s", "-1"]).trim(), "ch-002: 城门");
    studio.done();
}

#[test]
fn arguments_are_never_read_as_others() {
    let world = World::new();
    let book = world.demo_with(1);
    let mut assistant = Assistant::of(&world, book);
    assert_eq!(assistant.tool("search", json!({"query": ["--help"]}))["query"], "--help");
    for (arguments, why) in [
        (json!({"chapter": 1}), "there is no argument chapter; there are: rev"),
        (json!({"rev": {"a": 1}}), "rev has the wrong form"),
        (json!({"rev": "1\u{0}2"}), "rev has the wrong form"),
        (json!({"summary": "yes"}), "summary has the wrong form"),
        (json!({"rev": "--version"}), "--version"),
    ] {
        let refused = assistant.any("read", arguments);
        assert!(refused["isError"] == true && refused.to_string().contains(why), "{refused:#}");
    }
    let chapter = "book/chapters/vol-01/chapter-001.md";
    world.write(chapter, &format!("# 第1章 夜\n\n{}\n终。\n", "雨下了。\n".repeat(12_000)));
    world.commit(book, "a very long chapter");
    let long = assistant.any("read", json!({"rev": "1"}));
    let texts: Vec<&str> = long["content"].as_array().unwrap().iter().filter_map(|one| one["text"].as_str()).collect();
    assert!(long["isError"] == false && long["structuredContent"].is_null(), "{}", texts[1]);
    assert!(texts[0].chars().count() < 40_100 && texts[0].contains("终。"), "{}", texts[1]);
    assert!(texts[1].contains("ask for less"), "{}", texts[1]);
    let unknown = assistant.any("shell", json!({}));
    assert!(unknown["message"].as_str().unwrap().contains("no tool shell"), "{unknown:#}");
    assistant.leave();

    std::fs::create_dir_all(world.path("empty")).unwrap();
    let mut elsewhere = Assistant::of(&world, "empty");
    let refused = elsewhere.any("status", json!({}));
    assert!(refused["structuredContent"]["error"]["hints"].to_string().contains("novel init"), "{refused:#}");
    elsewhere.leave();
}

#[cfg(unix)]
#[test]
fn a_call_that_is_taken_back_or_left_ends_in_order() {
    for leaves in [false, true] {
        let studio = Studio::new().on("draft", Reply::Stalled(draft()));
        let mut assistant = Assistant::of(&studio.world, "book");
        let call = json!({"name": "continue", "arguments": {}, "_meta": {"progressToken": "p"}});
        let id = assistant.send_request("tools/call", call);
        let mut line = String::new();
        while !line.contains("draft") {
            line.clear();
            assert_ne!(assistant.output.read_line(&mut line).unwrap(), 0);
        }
        if leaves {
            assistant.leave();
        } else {
            let cancelled = json!({"requestId": id});
            assistant.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}));
            studio.server.wait_for_hang_ups(1);
            assert_eq!(assistant.tool("status", json!({}))["last_completed"], 1);
            assistant.leave();
        }
        studio.check();
        let _ = studio.go().ok();
        studio.done();
    }
}
