//! The author types what the book recommends, after commands of any kind: no recommended command refuses.

use super::BOOK;
use crate::common::{Chance, Output, World};
use serde_json::Value;

struct Author {
    world: World,
    chance: Chance,
    /// The commands so far, told when one refuses.
    log: Vec<String>,
}

impl Author {
    fn novel(&mut self, args: &[&str]) -> Output {
        let args = [&["--lang", "en"], args].concat();
        let done = self.world.novel(BOOK, &args);
        self.log.push(format!("novel {} -> {}", args.join(" "), done.code));
        assert!(![70, 101, -1].contains(&done.code), "{:#?}\n{done:#?}", self.log);
        done
    }

    /// Types a command that was recommended.
    fn follows(&mut self, command: &str) {
        let done = self.novel(&command.split(' ').skip(1).collect::<Vec<_>>());
        let is_refused = ![0, 3].contains(&done.code) || done.stderr.contains("error:");
        assert!(!is_refused, "`{command}` was recommended: {done:#?}\n{:#?}", self.log);
    }

    /// Something that moves the book, sensible or not.
    fn wanders(&mut self) {
        let written = self.novel(&["status", "--json"]).ok();
        let written: Value = serde_json::from_str(&written).unwrap();
        let some = 1 + self.chance.below(written["last_completed"].as_u64().unwrap().max(1));
        let (some, volume) = (some.to_string(), format!("vol-0{}", 1 + self.chance.below(3)));
        let args: &[&str] = match self.chance.below(9) {
            0 | 1 => &["rollback", &some, "--yes"],
            2 => &["undo"],
            3 => &["redo"],
            4 => &["world", "update", "城门的规矩"],
            5 => &["plan", "make"],
            6 => &["review", &volume],
            7 => &["plan", "reject"],
            _ => &["continue", "3"],
        };
        let _ = self.novel(args);
    }

    /// The command that `status` names, and the recommended answer to the question that `start` asks.
    fn goes_on(&mut self) {
        let status = self.novel(&["status", "--json"]).ok();
        let status: Value = serde_json::from_str(&status).unwrap();
        let next = status["next"].as_str().unwrap();
        let command = next.split(['(', '（']).next().unwrap().trim();
        let asks = |author: &mut Self| {
            let asked = author.novel(&["start", "--json"]);
            (asked.code == 3).then(|| serde_json::from_str::<Value>(&asked.stdout).unwrap())
        };
        if command == "novel start" {
            assert!(asks(self).is_some(), "`start` was recommended and asks nothing: {:#?}", self.log);
        } else if command.starts_with("novel ") {
            self.follows(command);
        }
        if let Some(question) = asks(self).filter(|_| self.chance.below(3) > 0) {
            let answer = question["data"]["commands"][0].as_str().unwrap().to_owned();
            self.follows(&answer);
        }
    }
}

#[test]
fn the_recommended_command_never_refuses() {
    for seed in [2, 5] {
        let world = World::new();
        world.made_once("demo-volumes", BOOK, || {
            let book = world.path(BOOK);
            let _ = world.novel("", &["demo", book.to_str().unwrap(), "--volumes", "3", "--chapters", "12"]).ok();
        });
        let mut author = Author { world, chance: Chance(seed), log: Vec::new() };
        for _ in 0..6 {
            author.wanders();
            author.goes_on();
            author.goes_on();
        }
        author.world.check(BOOK);
    }
}
