//! The records of another program's book as those of a book here: facts and plot threads as the deltas of the chapters that have
//! them, then people, rules and summaries; what has no place here is kept in a note.

use crate::domain::state::{RawOp, State};
use crate::domain::volume::outline::MAIN_LINE;
use crate::domain::world::contract::{Rule, Strength};
use crate::manuscript::SourceChapter;
use crate::manuscript::peer::{PeerBook, PeerThread, Program};
use crate::pipeline::book::files;
use crate::pipeline::prelude::*;
use crate::text::{free_slug, slug_of};

const LONGEST: usize = crate::domain::state::MAX_TEXT;

/// The records on their way into a book, and the state of the book so far.
pub(super) struct Records<'p> {
    peer: &'p PeerBook,
    program: Program,
    /// The accepted chapters by the numbers of that program.
    accepted: Vec<u32>,
    line: Slug,
    /// People that the book has not.
    people: Vec<Character>,
    /// By each name of a person, the id.
    ids: BTreeMap<String, Slug>,
    threads: Vec<(Slug, &'p PeerThread)>,
    state: State,
    ledger: Ledger,
    volumes: BTreeSet<VolumeNo>,
    /// Lines of the note about what has no place.
    left: String,
}

impl<'p> Records<'p> {
    pub(super) fn of(
        (peer, program): (&'p PeerBook, Program),
        chapters: &[SourceChapter],
        view: &BookView<'_>,
    ) -> Result<Self, RunError> {
        let accepted = chapters.iter().filter_map(|chapter| chapter.number).collect();
        let line = Slug::new(MAIN_LINE).map_err(|_| RunError::Missing { path: MAIN_LINE.to_owned() })?;
        let (mut ids, mut left, mut people) = (BTreeMap::new(), String::new(), Vec::new());
        for own in files::characters(view)? {
            ids.extend(own.names().map(|name| (name.to_owned(), own.id.clone())));
        }
        for person in &peer.people {
            let taken: BTreeSet<Slug> = ids.values().cloned().collect();
            let id = match ids.get(&person.name) {
                Some(id) => id.clone(),
                None => {
                    let Some(id) = free_slug(&person.name, &|id| taken.contains(id)) else {
                        left.push_str(&format!("- {}: {}\n", person.name, person.profile));
                        continue;
                    };
                    people.push(Character {
                        id: id.clone(),
                        display_name: person.name.clone(),
                        aliases: person.aliases.clone(),
                        former_names: Vec::new(),
                        role: person.role.clone(),
                        storylines: vec![line.clone()],
                        speech: String::new(),
                        profile: if person.profile.is_empty() { &person.name } else { &person.profile }.clone(),
                        contracts: Vec::new(),
                    });
                    id
                }
            };
            for name in person.aliases.iter().chain([&person.name, &person.key]).filter(|name| !name.is_empty()) {
                ids.entry(name.clone()).or_insert_with(|| id.clone());
            }
        }
        let mut threads: Vec<(Slug, &PeerThread)> = Vec::new();
        for thread in &peer.threads {
            let is_taken = |id: &Slug| threads.iter().any(|(taken, _)| taken == id);
            match free_slug(&thread.id, &is_taken) {
                Some(id) => threads.push((id, thread)),
                None => left.push_str(&format!("- {}: {}\n", thread.id, thread.description)),
            }
        }
        let volumes = view.contents()?.iter().map(|(_, volume)| volume).collect();
        let (state, ledger) = (view.state()?, view.ledger()?);
        Ok(Self { peer, program, accepted, line, people, ids, threads, state, ledger, volumes, left })
    }

    /// The accepted chapter of the other program that stands for that number: facts of chapters in between belong to the one before.
    fn chapter_of(&self, number: u32) -> u32 {
        let before = self.accepted.iter().filter(|of| **of <= number).max();
        before.or_else(|| self.accepted.iter().min()).copied().unwrap_or(number)
    }

    fn ops(&mut self, number: u32) -> Vec<RawOp> {
        let mut ops = Vec::new();
        let peer = self.peer;
        let facts: Vec<_> = peer.facts.iter().filter(|fact| self.chapter_of(fact.chapter) == number).collect();
        for fact in facts {
            let key = |text: &str| slug_of(text).map(|slug| slug.to_string());
            let path = match (self.ids.get(&fact.subject), key(&fact.subject), key(&fact.field)) {
                (Some(id), _, Some(field)) => format!("characters.{id}.{field}"),
                (None, Some(subject), Some(field)) => format!("world_state.{subject}.{field}"),
                _ => fact.subject.clone(),
            };
            if fact.value.chars().count() > LONGEST {
                self.left.push_str(&format!("- 第{number}章 {} {}: {}\n", fact.subject, fact.field, fact.value));
            }
            let value: String = fact.value.chars().take(LONGEST).collect();
            ops.push(RawOp { op: "set".to_owned(), path, value: value.into(), ..RawOp::default() });
        }
        for (id, thread) in &self.threads {
            let planted = self.chapter_of(thread.planted);
            let mut add = |chapter: u32, action: &str| {
                if self.chapter_of(chapter) == number {
                    let scope = if thread.is_core { "long" } else { "medium" };
                    ops.push(RawOp {
                        op: "foreshadow".to_owned(),
                        path: id.to_string(),
                        value: action.into(),
                        detail: Some(thread.description.clone()),
                        scope: (action == "planted").then(|| scope.to_owned()),
                        target: None,
                    });
                }
            };
            add(thread.planted, "planted");
            thread.advanced.filter(|at| self.chapter_of(*at) > planted).into_iter().for_each(|at| add(at, "advanced"));
            thread.resolved.into_iter().for_each(|at| add(at.max(thread.planted), "resolved"));
        }
        ops
    }

    /// The change with the delta, the state after it and the summary of a chapter.
    pub(super) fn with_chapter(
        &mut self,
        mut change: Change,
        (at, volume): (ChapterNo, VolumeNo),
        chapter: &SourceChapter,
        text: ContentId,
    ) -> Change {
        let Some(number) = chapter.number else { return change };
        if self.volumes.insert(volume) {
            self.ledger = std::mem::take(&mut self.ledger).carried_over();
        }
        let ops = self.ops(number);
        if !ops.is_empty() {
            let (mut delta, dropped) = Delta::screen(at, &self.line, &ops, &self.state, &self.ledger);
            for one in dropped {
                let value = &ops[one.index].value;
                self.left.push_str(&format!("- 第{number}章 {}: {value} ({})\n", one.path, one.reason));
            }
            delta.text = Some(text);
            delta.merge_into(&mut self.state, &mut self.ledger);
            change = change
                .put(&layout::delta(volume, at), format::delta::write(&delta, None))
                .put(layout::STATE, format::state::write(&self.state))
                .put(layout::FORESHADOWING, format::foreshadowing::write(&self.ledger, None));
        }
        let Some(summary) = self.peer.summaries.get(&number).filter(|text| !text.trim().is_empty()) else {
            return change;
        };
        let page = SummaryPage {
            chapter: at,
            title: chapter.title.clone(),
            storyline: self.line.clone(),
            line_status: String::new(),
            cross_references: Vec::new(),
            text: summary.clone(),
            excerpt: false,
        };
        change.put(&layout::summary(volume, at), format::summary::write(&page))
    }

    /// The change with people, rules and texts for planners, where the book has none of its own.
    pub(super) fn with_rest(&self, mut change: Change, view: &BookView<'_>) -> Result<Change, RunError> {
        for person in &self.people {
            change = change
                .put(&layout::character(&person.id), format::character::write(person, None))
                .put(&layout::profile(&person.id), format::character::write_profile(person));
        }
        if files::rules(view)?.is_empty() && !self.peer.rules.is_empty() {
            let rule = |(at, rule): (usize, &crate::manuscript::peer::PeerRule)| Rule {
                id: format!("W-{:03}", at + 1),
                category: if rule.category.is_empty() { "world".to_owned() } else { rule.category.clone() },
                rule: rule.rule.clone(),
                strength: Strength::Soft,
                exceptions: Vec::new(),
                introduced_chapter: 0,
                last_verified: None,
            };
            let rules: Vec<Rule> = self.peer.rules.iter().enumerate().map(rule).collect();
            let before = view.bytes(layout::WORLD_RULES)?;
            change = change.put(layout::WORLD_RULES, format::rules::write(&rules, before.as_deref()));
        }
        for (name, text) in &self.peer.research {
            let path = format!("{}/{}-{name}.md", layout::RESEARCH, self.program);
            if !view.has(&path) {
                change = change.put(&path, text.as_str());
            }
        }
        Ok(change)
    }

    /// All that has no place in a book here.
    pub(super) fn note(&self) -> String {
        format!("# {}\n\n{}{}", self.program, self.left, self.peer.note)
    }
}
