//! A volume's schedule: which lines run, how they share the chapters, where they meet, and what is planted.

use super::super::patterns::pool;
use super::threads::threads;
use super::weave::weave;
use super::{Desk, MAIN_LINE, brief, first_chars, one_field};
use crate::agents::planners::context::{PlanningContext, VolumeOrder};
use crate::domain::volume::foreshadowing::Planned;
use crate::domain::volume::outline::Section;
use crate::domain::world::storyline::{
    Convergence, Interleaving, MAX_ACTIVE, Reach, SEASONING, Schedule, ScheduledLine, Status, Storyline, VolumeRole,
};
use crate::domain::{ChapterNo, Slug};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// From so many chapters on a first volume opens a second line.
const SECOND_LINE_FROM: u32 = 8;
/// From so many chapters on a later volume opens another one, while the book has fewer than three.
const THIRD_LINE_FROM: u32 = 10;
/// How many percent of a volume the lines get, by their number.
const SHARES: [&[u32]; MAX_ACTIVE] = [&[100], &[65, 35], &[50, 28, 22], &[46, 22, 17, 15]];

/// Schedules a volume around the chapters that it has already.
pub(in super::super) fn schedule(context: &PlanningContext, order: &VolumeOrder, kept: &[Section]) -> String {
    let desk = Desk::new(context);
    let lines = Lines::of(&desk, order, kept);
    let volume = order.volume.get() as usize;
    let (theme, hook) = (desk.word("plan theme", volume), desk.deal("plan hook", volume));
    let plan = plan(&desk, order, kept, &lines, theme);
    let fixed: BTreeMap<u32, Slug> = kept.iter().map(|s| (s.chapter.get(), s.storyline.clone())).collect();
    let woven = weave(&plan, order.first..=order.last(), &fixed);
    let foreshadowing: Vec<Value> = threads(&desk, order, kept, &woven).iter().map(planned).collect();
    let rhythm = plan.interleaving.unwrap_or_default();
    let scheduled: Vec<Value> = plan
        .active
        .iter()
        .map(|line| {
            json!({
                "id": line.storyline.as_str(), "role": line.role.as_str(), "chapters": line.target_chapters,
                "goal": line.goal,
            })
        })
        .collect();
    let meetings: Vec<Value> = plan
        .convergences
        .iter()
        .map(|meeting| {
            let ids: Vec<&str> = meeting.lines.iter().map(Slug::as_str).collect();
            json!({
                "from": meeting.chapters.0, "to": meeting.chapters.1, "storylines": ids, "trigger": meeting.trigger,
                "aftermath": meeting.aftermath,
            })
        })
        .collect();
    json!({
        "theme": theme,
        "summary": summary(&desk, order, kept, &lines),
        "hook": if order.closing { String::new() } else { format!("{hook}。") },
        "new_storylines": lines.begun.iter().map(begun).collect::<Vec<_>>(),
        "storylines": scheduled,
        "dormant": lines.resting.iter().map(Slug::as_str).collect::<Vec<_>>(),
        "primary_max_consecutive": rhythm.primary_max_consecutive.unwrap_or(4),
        "secondary_every": rhythm.secondary_every.unwrap_or(8),
        "convergences": meetings,
        "foreshadowing": foreshadowing,
    })
    .to_string()
}

fn begun(line: &Storyline) -> Value {
    json!({
        "id": line.id.as_str(), "name": line.name, "type": line.kind, "scope": line.reach.as_str(),
        "description": line.description, "pov_characters": line.pov_characters,
    })
}

fn planned(planned: &Planned) -> Value {
    let (from, to) = planned.target.unwrap_or((0, 0));
    json!({
        "id": planned.id.as_str(), "description": planned.description, "scope": planned.scope.as_str(),
        "storyline": planned.storyline.as_str(), "plant": planned.plant.map_or(0, ChapterNo::get),
        "advance": planned.advance, "resolve_from": from, "resolve_to": to,
    })
}

/// The lines of a volume.
struct Lines {
    /// Id and name of those that run, the primary one first.
    running: Vec<(Slug, String)>,
    /// Those of them that begin here.
    begun: Vec<Storyline>,
    /// Those that rest.
    resting: Vec<Slug>,
}

impl Lines {
    fn of(desk: &Desk<'_>, order: &VolumeOrder, kept: &[Section]) -> Self {
        let on_kept = |id: &Slug| kept.iter().any(|section| section.storyline == *id);
        let mut alive: Vec<&Storyline> =
            desk.context.storylines.lines.iter().filter(|line| line.status != Status::Ended).collect();
        let is_main = |line: &Storyline| line.kind == "main_arc" || line.id.as_str() == MAIN_LINE;
        let rank = |line: &&Storyline| {
            let status = match line.status {
                Status::Active => 0,
                Status::Planned => 1,
                Status::Dormant | Status::Ended => 2,
            };
            (!is_main(line), !on_kept(&line.id), status)
        };
        alive.sort_by_key(rank);
        let mut begun = Vec::new();
        if alive.is_empty() {
            begun.extend(main_line(desk, kept));
        }
        let chapters = order.chapters;
        let free = chapters.saturating_sub(kept.len() as u32);
        let known = alive.len() + begun.len();
        let opens = match order.volume.get() {
            1 => known == 1 && chapters >= SECOND_LINE_FROM,
            _ => known < 3 && chapters >= THIRD_LINE_FROM,
        };
        let most = match chapters {
            0..8 => 2,
            8..16 => 3,
            _ => MAX_ACTIVE,
        };
        let running = alive.iter().filter(|line| line.status == Status::Active).count();
        // The last volume has room for every line that runs, and begins none.
        let most = if order.closing { running.min(free as usize).max(1) } else { most.min(1 + free as usize / 2) };
        if opens && known < most && !order.closing {
            begun.extend(new_line(desk, known));
        }
        // A resting line wakes only when nothing else runs.
        let awake = alive.iter().any(|line| line.status != Status::Dormant);
        let runs = |line: &&&Storyline| line.status != Status::Dormant || on_kept(&line.id) || !awake;
        let needed = alive.iter().filter(|line| on_kept(&line.id)).count();
        let room = most.max(needed).min(MAX_ACTIVE).saturating_sub(begun.len());
        let running: Vec<&Storyline> = alive.iter().filter(runs).copied().take(room).collect();
        let resting = alive.iter().filter(|line| !running.iter().any(|other| other.id == line.id));
        let resting = resting.map(|line| line.id.clone()).collect();
        let running = running.into_iter().chain(&begun).map(|line| (line.id.clone(), line.name.clone())).collect();
        Self { running, begun, resting }
    }
}

/// A main line for a book that has no line, under the id that the kept chapters use.
fn main_line(desk: &Desk<'_>, kept: &[Section]) -> Option<Storyline> {
    let id = kept.first().map(|section| section.storyline.clone()).or_else(|| Slug::new(MAIN_LINE).ok())?;
    let conflict = brief::section(&desk.context.brief, "核心冲突");
    Some(Storyline {
        id,
        name: desk.word_aged("plan mainline", 0).to_owned(),
        kind: "main_arc".to_owned(),
        reach: Reach::Novel,
        status: Status::Active,
        pov_characters: vec![desk.protagonist()],
        factions: Vec::new(),
        timeline: "present".to_owned(),
        description: conflict.unwrap_or_else(|| format!("{}要讨回一句实话", desk.protagonist())),
        introduced: None,
    })
}

/// A second line sets clues against the main one, a third brings people's past into it.
fn new_line(desk: &Desk<'_>, known: usize) -> Option<Storyline> {
    let (name, kind) = if known < 2 {
        (desk.aged("plan line mystery"), "mystery")
    } else {
        ("plan line warm".to_owned(), "character_arc")
    };
    let taken = |id: &Slug| desk.context.storylines.get(id).is_some();
    let mut lines = (0..pool(&name).len()).filter_map(|turn| {
        let mut words = desk.deal(&name, turn).splitn(3, ' ');
        let id = Slug::new(words.next()?).ok().filter(|id| !taken(id))?;
        Some((id, words.next()?, words.next()?))
    });
    let (id, name, description) = lines.next()?;
    let hero = desk.protagonist();
    let others: Vec<&str> = desk
        .context
        .characters
        .iter()
        .map(|person| person.display_name.as_str())
        .filter(|name| *name != hero && !name.trim().is_empty())
        .collect();
    let pov = others.get(known.saturating_sub(1) % others.len().max(1)).map(|name| (*name).to_owned());
    Some(Storyline {
        id,
        name: name.to_owned(),
        kind: kind.to_owned(),
        reach: Reach::MultiVolume,
        status: Status::Active,
        pov_characters: pov.into_iter().collect(),
        factions: Vec::new(),
        timeline: "present".to_owned(),
        description: format!("{description}。"),
        introduced: None,
    })
}

fn plan(desk: &Desk<'_>, order: &VolumeOrder, kept: &[Section], lines: &Lines, theme: &str) -> Schedule {
    let volume = order.volume.get();
    let wish = one_field(&order.wish);
    let active = lines.running.iter().zip(shares(order, kept, lines)).enumerate().map(|(at, ((id, name), share))| {
        let role = if at == 0 { VolumeRole::Primary } else { VolumeRole::Secondary };
        let goal = desk.deal(&format!("plan goal {}", role.as_str()), volume as usize + at);
        let wished =
            (at == 0 && !wish.is_empty()).then(|| format!("，作者要的是{}", brief::bare(&first_chars(&wish, 80))));
        let goal = format!("{goal}，{name}由此再进一步{}", wished.unwrap_or_default());
        ScheduledLine { storyline: id.clone(), role, target_chapters: share, goal }
    });
    let active: Vec<ScheduledLine> = active.collect();
    // Chapters that are fixed already count as within the rhythm.
    let primary = active.first().map(|line| &line.storyline);
    let runs = kept.chunk_by(|a, b| a.storyline == b.storyline);
    let run = runs.filter(|run| Some(&run[0].storyline) == primary).map(|run| run.len() as u32).max().unwrap_or(0);
    let rhythm = Interleaving {
        primary_max_consecutive: Some((3 + (desk.seed % 3) as u32).max(run.min(5))),
        secondary_every: Some(6 + (desk.seed / 3 % 3) as u32),
        strategy: "primary_dominant".to_owned(),
        seasoning: SEASONING[0].0.to_owned(),
    };
    Schedule {
        volume: order.volume,
        theme: theme.to_owned(),
        interleaving: (active.len() > 1).then_some(rhythm),
        active,
        convergences: meetings(desk, order, kept, lines),
        dormant: lines.resting.clone(),
        closing: order.closing,
        newly_activated: Vec::new(),
    }
}

/// How many chapters each line gets: its share, but no fewer than it has in the kept ones.
fn shares(order: &VolumeOrder, kept: &[Section], lines: &Lines) -> Vec<u32> {
    let count = lines.running.len().clamp(1, MAX_ACTIVE);
    let has = |at: usize| {
        kept.iter().filter(|section| lines.running.get(at).is_some_and(|(id, _)| *id == section.storyline)).count()
            as u32
    };
    let mut free = order.chapters.saturating_sub(kept.len() as u32);
    let mut shares = vec![0; count];
    for at in 1..count {
        let wanted = ((order.chapters * SHARES[count - 1][at] + 50) / 100).max(1).saturating_sub(has(at)).min(free);
        free -= wanted;
        shares[at] = has(at) + wanted;
    }
    shares[0] = order.chapters.saturating_sub(shares.iter().sum());
    shares
}

/// One meeting behind the middle of the volume, a second near the end of a long one.
fn meetings(desk: &Desk<'_>, order: &VolumeOrder, kept: &[Section], lines: &Lines) -> Vec<Convergence> {
    let [(main, main_name), others @ ..] = &lines.running[..] else { return Vec::new() };
    if others.is_empty() {
        return Vec::new();
    }
    let (first, last, chapters) = (order.first, order.last(), order.chapters);
    let free = kept.iter().map(|section| section.chapter.get() + 1).max().unwrap_or(first);
    let early = (first + chapters * 7 / 10).max(free).min(last);
    let mut ranges = vec![(early, (early + 1).min(last))];
    if chapters >= 24 {
        ranges.push((last - 2, last - 1));
    }
    let volume = order.volume.get() as usize;
    let meeting = |(at, chapters): (usize, (u32, u32))| {
        let (side, side_name) = &others[at % others.len()];
        let turn = volume + at;
        let thing = desk.deal_aged("plan thing", turn).split_once(' ').map_or("旧物", |(_, name)| name);
        let slots = [("物", thing), ("甲", main_name.as_str()), ("乙", side_name.as_str())];
        Convergence {
            chapters,
            lines: vec![main.clone(), side.clone()],
            trigger: desk.fill(desk.deal("plan trigger", turn), turn, &slots),
            aftermath: desk.fill(desk.deal("plan aftermath", turn), turn, &slots),
        }
    };
    ranges.into_iter().enumerate().map(meeting).collect()
}

/// A summary of the volume, within a hundred characters.
fn summary(desk: &Desk<'_>, order: &VolumeOrder, kept: &[Section], lines: &Lines) -> String {
    let hero = desk.protagonist();
    let goal = desk.deal("plan goal primary", order.volume.get() as usize);
    let from = match kept.last() {
        Some(section) => format!("接着《{}》留下的局面，", first_chars(&section.title, 12)),
        None if order.volume.get() > 1 => "带着上一卷没有还清的账，".to_owned(),
        None => String::new(),
    };
    let beside = lines
        .running
        .get(1)
        .map_or_else(String::new, |(_, name)| format!("另一头，{}也浮出水面，", first_chars(name, 12)));
    format!("{from}{hero}要{goal}。{beside}两头的人迟早要在同一扇门前撞见。")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_whole() {
        for share in SHARES {
            assert_eq!(share.iter().sum::<u32>(), 100);
        }
    }
}
