//! The effects of a change: the answer of `novel impact`.

use crate::domain::Slug;
use crate::domain::impact::{ChangeKind, Item, ItemKind, NameClash, Touched, clash, renames};
use crate::pipeline::planning::impact::BookComparison;
use crate::report::prelude::*;
use crate::report::renaming;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImpactReport {
    pub since: String,
    pub changes: Vec<Changed>,
    pub touched: Vec<Reached>,
    /// People with another name.
    pub renames: Vec<Rename>,
    /// The number of `touched` that wait for a decision.
    pub open: usize,
    /// The likely cost of updating them.
    pub estimate: Estimate,
    /// The commit that updated the affected things.
    pub regenerated: Option<String>,
    #[serde(skip)]
    pub names: Names,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changed {
    pub id: String,
    pub kind: ItemKind,
    pub how: ChangeKind,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rename {
    pub id: String,
    pub from: String,
    pub to: String,
    /// Another person whom the new name concerns.
    #[serde(skip)]
    pub clash: Option<NameClash>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reached {
    pub id: String,
    pub kind: ItemKind,
    /// The shortest path from a change, both ends included.
    pub path: Vec<String>,
    pub other_paths: Vec<Vec<String>>,
    /// True for an accepted chapter.
    pub written: bool,
    /// True when a character's contract, or a chapter's section, has to be written again.
    pub revise: bool,
    /// True when the chapter's derived contract differs.
    pub derive: bool,
    /// True when the contract is the author's own, and the author is asked about it when the chapter comes.
    pub waits: bool,
    pub chapter: Option<u32>,
}

impl Reached {
    fn of(touched: &Touched) -> Self {
        let names = |path: &Vec<Item>| path.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut paths = touched.paths.iter().map(names);
        Self {
            id: touched.thing.to_string(),
            kind: touched.thing.sort(),
            path: paths.next().unwrap_or_default(),
            other_paths: paths.collect(),
            written: touched.written,
            revise: touched.revise,
            derive: touched.derive,
            waits: touched.waits,
            chapter: touched.chapter().map(|chapter| chapter.get()),
        }
    }

    fn is_open(&self) -> bool {
        self.revise || self.derive
    }

    /// The remaining work, in words.
    fn todo(&self, lang: Lang) -> &'static str {
        match (self.kind, self.revise, self.derive) {
            _ if self.waits => say!(lang, your_own_contract_is_asked_about),
            (ItemKind::CharacterContract, ..) => say!(lang, reword),
            (_, true, true) => say!(lang, outline_contract),
            (_, true, false) => say!(lang, outline),
            (_, false, _) => say!(lang, contract),
        }
    }

    fn way(&self, names: &Names, lang: Lang) -> String {
        let path: Vec<String> = self.path.iter().map(|id| names.item(id, lang)).collect();
        let more = if self.other_paths.is_empty() { String::new() } else { format!("  +{}", self.other_paths.len()) };
        format!("{}{more}", path.join(" → "))
    }
}

impl ImpactReport {
    /// The report on a comparison with the commit `since`.
    pub fn of(comparison: &BookComparison, estimate: Estimate, regenerated: Option<String>, names: Names) -> Self {
        let (impact, since) = (&comparison.impact, comparison.since.to_string());
        let changed = impact.changes.iter().map(|change| Changed {
            id: change.thing.to_string(),
            kind: change.thing.sort(),
            how: change.how,
        });
        let touched: Vec<Reached> = impact.touched.iter().map(Reached::of).collect();
        let open = if regenerated.is_some() {
            0
        } else {
            touched.iter().filter(|reached| reached.is_open() && !reached.waits).count()
        };
        let people = &comparison.now.characters;
        let all = renames(&comparison.before.characters, people);
        let rename = |named: &(Slug, String, String)| Rename {
            id: named.0.to_string(),
            from: named.1.clone(),
            to: named.2.clone(),
            clash: clash(named, &all, people),
        };
        let renames = all.iter().map(rename).collect();
        Self { since, changes: changed.collect(), touched, renames, open, estimate, regenerated, names }
    }

    /// The changes, the affected things with their paths, and the command to type.
    pub fn text(&self, lang: Lang, columns: usize) -> String {
        let since: String = self.since.chars().take(10).collect();
        if self.changes.is_empty() {
            return say!(lang, nothing_that_plans_rest_on_has(since));
        }
        let mut out = heading(&say!(lang, changed_since(since)));
        let mut changes = Table::bare("lll", 0).indented(2);
        for change in &self.changes {
            changes.row([
                self.names.item(&change.id, lang).into(),
                Cell::painted(DIM, change.kind.say(lang)),
                change.how.say(lang).into(),
            ]);
        }
        out.push_str(&changes.text(columns));
        for Rename { id, from, to, clash } in &self.renames {
            let words = clash.as_ref().map(|clash| renaming::clash(clash, lang));
            out.push_str(&format!("  {}\n", words.unwrap_or_else(|| renaming::by_hand((id, from, to), lang))));
        }
        let (open, rest): (Vec<&Reached>, Vec<&Reached>) = self.touched.iter().partition(|reached| reached.is_open());
        let (history, settled): (Vec<&Reached>, Vec<&Reached>) = rest.into_iter().partition(|reached| reached.written);
        if !open.is_empty() {
            let title = match self.regenerated {
                None => say!(lang, touched_and_not_written_yet),
                Some(_) => say!(lang, touched_and_up_to_date_now),
            };
            out.push_str(&heading(title));
            out.push_str(&self.table(&open, lang, columns, |reached| reached.todo(lang)));
        }
        if !settled.is_empty() {
            out.push_str(&heading(say!(lang, touched_and_changed_already_themselves_left)));
            out.push_str(&self.table(&settled, lang, columns, |_| ""));
        }
        if !history.is_empty() {
            out.push_str(&heading(say!(lang, touched_and_written_already_nothing_rewrites)));
            let list = spans(&history, lang);
            out.push_str(&format!("  {list}\n"));
            out.push_str(say!(lang, to_write_one_of_them_again));
        }
        out.push_str(&self.ending(lang));
        out
    }

    fn table(
        &self,
        reached: &[&Reached],
        lang: Lang,
        columns: usize,
        todo: impl Fn(&Reached) -> &'static str,
    ) -> String {
        let mut table = Table::bare("lll", 2).indented(2);
        for reached in reached {
            let (name, way) = (self.names.item(&reached.id, lang), reached.way(&self.names, lang));
            table.row([name.into(), Cell::painted(DIM, todo(reached)), way.into()]);
        }
        table.text(columns)
    }

    fn ending(&self, lang: Lang) -> String {
        let n = self.open;
        match &self.regenerated {
            Some(commit) => {
                let commit: String = commit.chars().take(10).collect();
                let done = paint(GOOD, say!(lang, up_to_date));
                say!(lang, impact_to_see_what_changed_git_show_to_take_it(done, commit))
            }
            None if n > 0 => {
                let command = paint(HINT, "novel impact --regenerate") + &self.estimate.text(lang);
                let waits = paint(WARN, &say!(lang, to_be_brought_up_to_date(n)));
                say!(lang, or_change_them_yourself(waits, command))
            }
            None if self.touched.iter().any(|reached| reached.waits) => {
                say!(lang, contracts_of_your_own_wait_for_their_chapters).to_owned()
            }
            None => say!(lang, nothing_has_to_be_brought_up).to_owned(),
        }
    }
}

fn heading(text: &str) -> String {
    format!("{}\n", paint(STRONG, text))
}

/// `ch-001–ch-004, ch-007`.
fn spans(reached: &[&Reached], lang: Lang) -> String {
    let mut chapters: Vec<u32> = reached.iter().filter_map(|reached| reached.chapter).collect();
    chapters.sort_unstable();
    let span = |run: &[u32]| match run {
        [first, .., last] => format!("ch-{first:03}–ch-{last:03}"),
        run => run.iter().map(|chapter| format!("ch-{chapter:03}")).collect(),
    };
    chapters.chunk_by(|a, b| a + 1 == *b).map(span).collect::<Vec<_>>().join(say!(lang, list_comma))
}

impl Words for ChangeKind {}
