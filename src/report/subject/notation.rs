//! Parsing English subjects: those of English books, and those of older programs, which had no other language. Only
//! screens use them; decisions follow from trailers.

use crate::domain::world::storyline::Status;
use crate::store::{Course, QualitySubject, StyleSubject, Subject, WorldCount};

/// The subject of an English line; `None` for any other line, also a chapter's.
pub(in crate::report) fn read(line: &str) -> Option<Subject> {
    if let Some(volume) = line.strip_prefix("review ") {
        return Some(Subject::Review(volume.parse().ok()?));
    }
    if let Some(volume) = line.strip_prefix("keep ").and_then(|rest| rest.strip_suffix("'s state as it is")) {
        return Some(Subject::StateKept(volume.parse().ok()?));
    }
    if let Some(volume) = line.strip_prefix("the book ends with ") {
        return Some(Subject::Course(Course::Ended(volume.parse().ok()?)));
    }
    let (head, rest) = line.split_once(": ")?;
    of_head(head, rest)
}

/// The subject with `head` before a colon; `None` for an unknown head.
fn of_head(head: &str, rest: &str) -> Option<Subject> {
    let text = || rest.to_owned();
    Some(match head {
        "init" if rest == "a new book" => Subject::Init(String::new()),
        "init" => Subject::Init(text()),
        "world" => Subject::World(counts(rest)?),
        "theme" => Subject::Theme(text()),
        "characters" if rest == "nobody new" => Subject::Characters(String::new()),
        "characters" => Subject::Characters(text()),
        "storyline" => storyline(rest),
        "renamed" => rest.split_once(" → ").map(|(was, is)| Subject::Renamed(was.to_owned(), is.to_owned()))?,
        "retire" => Subject::Retire(text()),
        "research" => Subject::Research(names(rest)),
        "style" => Subject::Style(style(rest)),
        "start" => Subject::Course(course(rest)?),
        "quality" => Subject::Quality(quality(rest)?),
        "regenerate" => {
            let (what, n) = rest.strip_prefix("what ")?.split_once(" touches, ")?;
            Subject::Regenerate(names(what), n.strip_suffix(" in all")?.parse().ok()?)
        }
        "contract kept" => Subject::ContractKept(rest.parse().ok()?),
        "plans kept" => Subject::PlansKept(names(rest)),
        "chapters" => Subject::Renumbered(rest.parse().ok()?),
        "rebuild" => match rest {
            "put right from history" => Subject::Repaired,
            "what follows from the chapters" => Subject::Derived,
            chapters => Subject::Rebuild(names(chapters)),
        },
        "formats" => Subject::Formats(rest.split(' ').next()?.parse().ok()?),
        "waive" => Subject::Waive(names(rest)),
        "waiver removed" | "waive no longer" => Subject::WaiveNoLonger(names(rest)),
        "wish" => Subject::Wish(text()),
        "wish taken back" => Subject::WishTakenBack(text()),
        "config" => Subject::Config(text()),
        "rollback" => Subject::Rollback(text()),
        "adopt" => Subject::Adopt(text()),
        "branch" => Subject::Branch(text()),
        "undo" => Subject::Undo(text()),
        "redo" => Subject::Redo(text()),
        "restore" => match rest.rsplit_once(" as of ") {
            Some((paths, commit)) => Subject::RestoreFiles(names(paths), commit.to_owned()),
            None => Subject::Restore(text()),
        },
        "hand edit" => Subject::HandEdit(names(rest)),
        "remove" => Subject::Remove(rest.split(' ').map(str::to_owned).collect()),
        "set aside" => Subject::SetAside(names(rest)),
        "sync" => match (rest.strip_prefix("join the line of "), rest.strip_prefix("forward to ")) {
            (Some(remote), _) => Subject::SyncJoin(remote.to_owned()),
            (_, Some(commit)) => Subject::SyncForward(commit.to_owned()),
            _ => return None,
        },
        other => match (other.strip_prefix("plan "), other.strip_prefix("clean up ")) {
            (Some(volume), _) => {
                let (theme, chapters) = rest.rsplit_once(", chapters ")?;
                let (first, last) = chapters.split_once(" to ")?;
                Subject::Plan(volume.parse().ok()?, theme.to_owned(), [first.parse().ok()?, last.parse().ok()?])
            }
            (_, Some(volume)) => {
                let n = rest.strip_suffix(" entries leave the state")?;
                Subject::CleanUp(volume.parse().ok()?, n.parse().ok()?)
            }
            _ => return None,
        },
    })
}

fn names(list: &str) -> Vec<String> {
    list.split(", ").map(str::to_owned).collect()
}

/// `2 rules, 1 page`
fn counts(rest: &str) -> Option<WorldCount> {
    let (rules, pages) = rest.split_once(", ")?;
    let (rules, rule) = rules.split_once(' ')?;
    let (pages, page) = pages.split_once(' ')?;
    let is_count = rule.trim_end_matches('s') == "rule" && page.trim_end_matches('s') == "page";
    is_count.then_some(WorldCount { rules: rules.parse().ok()?, pages: pages.parse().ok()? })
}

/// `夜渡`, or `夜渡, dormant` for a change of status.
fn storyline(rest: &str) -> Subject {
    let turned = rest.rsplit_once(", ").and_then(|(name, status)| Some((name, status.parse::<Status>().ok()?)));
    turned.map_or_else(
        || Subject::Storyline(rest.to_owned()),
        |(name, status)| Subject::StorylineTurned(name.to_owned(), status),
    )
}

fn style(rest: &str) -> StyleSubject {
    let phrases = rest.strip_suffix(" that your edits take out").and_then(|rest| rest.split(' ').next()?.parse().ok());
    let after = |start: &str| rest.strip_prefix(start).map(str::to_owned);
    match (rest, phrases) {
        ("to be extracted from the first chapter" | "to be drawn from the first chapter", _) => StyleSubject::Deferred,
        ("the author's own", _) => StyleSubject::Own(String::new()),
        (_, Some(n)) => StyleSubject::Phrases(n),
        _ => after("the author's own, from ")
            .map(StyleSubject::Own)
            .or_else(|| after("extracted from ").or_else(|| after("drawn from ")).map(StyleSubject::Drawn))
            .or_else(|| after("after ").map(StyleSubject::After))
            .unwrap_or_else(|| StyleSubject::Preset(rest.to_owned())),
    }
}

fn course(rest: &str) -> Option<Course> {
    Some(match rest {
        "the trial chapters stay" => Course::TrialStays,
        "another subject" => Course::AnotherIdea,
        "on to the next volume" => Course::NextVolume,
        "the trial chapters are put aside" => Course::TrialAside(None),
        other => match other.strip_prefix("the trial chapters are put aside, style ") {
            Some(name) => Course::TrialAside(Some(name.to_owned())),
            None => {
                let volume = other.strip_prefix("the book ends with ")?.strip_suffix(", which is planned next")?;
                Course::EndsWith(volume.parse().ok()?)
            }
        },
    })
}

/// `ch-006 to ch-010, mean 4.11, 1 revised or decided by the author`
fn quality(rest: &str) -> Option<QualitySubject> {
    let mut parts = rest.split(", ");
    let (first, last) = parts.next()?.split_once(" to ")?;
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    let mut read = QualitySubject { first, last, mean: None, helped: 0 };
    for part in parts {
        match (part.strip_prefix("mean "), part.strip_suffix(" revised or decided by the author")) {
            (Some(mean), _) => read.mean = Some(mean.to_owned()),
            (_, Some(n)) => read.helped = n.parse().ok()?,
            _ => return None,
        }
    }
    Some(read)
}
