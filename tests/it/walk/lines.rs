//! Lines of the book, and what is brought back to it.

use super::{BOOK, Walk};

impl Walk {
    /// True when the book is on its main line.
    pub(super) fn on_main_line(&self) -> bool {
        let of = |name: &str| self.world.git(BOOK, &["config", name]).stdout;
        let main = of("novel.main");
        main.is_empty() || main == of("novel.branch")
    }

    /// Something with the lines of the book: one is begun, gone to, adopted or deleted.
    pub(super) fn line(&mut self) {
        let listed = self.novel(&["branch", "list", "--json"]);
        if listed.code != 0 {
            return;
        }
        let listed = listed.json();
        let lines: Vec<&str> = listed["lines"].as_array().unwrap().iter().filter_map(|l| l["name"].as_str()).collect();
        let some = self.chance.one_of(&lines);
        match self.chance.below(6) {
            0 | 1 => {
                let (name, from) = (format!("line-{}", self.steps), self.some_chapter().to_string());
                let mut args = vec!["branch", &name];
                if self.chance.below(2) == 0 {
                    args.extend(["--from", &from]);
                }
                if self.chance.below(3) > 0 {
                    args.push("--switch");
                }
                let _ = self.novel(&args);
            }
            2 | 3 => drop(self.novel(&["branch", "switch", some])),
            how => {
                self.keep_texts_of(BOOK, some);
                let args: &[&str] = if how == 4 { &["adopt", some] } else { &["branch", "delete", some] };
                let _ = self.novel(args);
            }
        }
    }

    /// Something of what is kept comes back.
    pub(super) fn restore(&mut self) {
        let listed = self.novel(&["restore", "--json"]);
        if listed.code != 0 {
            return;
        }
        let listed = listed.json();
        let kept: Vec<&str> = listed["kept"].as_array().unwrap().iter().filter_map(|k| k["name"].as_str()).collect();
        if !kept.is_empty() {
            let name = self.chance.one_of(&kept);
            let _ = self.novel(&["restore", name]);
        }
    }
}
