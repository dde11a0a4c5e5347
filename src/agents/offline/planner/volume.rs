//! A volume's schedule: which lines run, how they share the chapters, where they meet, and what is planted.
//! Storylines that an author wishes for, and the review of a volume.

use crate::agents::offline::judge::rehearsed;
use crate::agents::offline::phrases::{clip, phrase};
use crate::agents::offline::planner::OfflinePlanner;
use crate::agents::planners::context::{PlanningContext, VolumeOrder};
use crate::agents::planners::plot_architect;
use crate::agents::prelude::*;
use crate::domain::volume::Recommendation;
use crate::domain::volume::foreshadowing::{ForeshadowOp, Scope};
use crate::domain::volume::outline::{MAIN_LINE, Section};
use crate::domain::world::storyline::{MAX_ACTIVE, Schedule, ScheduledLine, Status, Storyline};
use std::ops::RangeInclusive;

/// From so many chapters on a volume opens a second line, in a book that has fewer than three.
const SECOND_LINE_FROM: u32 = 8;

/// Schedules a volume around the chapters that it has already.
pub(crate) fn schedule(context: &PlanningContext, order: &VolumeOrder, kept: &[Section]) -> String {
    let (desk, volume) = (OfflinePlanner::new(context), order.volume.get() as usize);
    let (ids, begun) = lines_of(&desk, order, kept);
    let wish = phrase(&order.wish, 80).map_or_else(String::new, |wish| format!("，作者要的是{wish}"));
    let scheduled = ids.iter().enumerate().map(|(at, id)| {
        let (role, share, wish) = if at == 0 { ("primary", 2, wish.as_str()) } else { ("secondary", 1, "") };
        let goal = desk.pick(&format!("goal {role}"), volume + at);
        json!({"id": id.as_str(), "role": role, "chapters": share, "goal": format!("{goal}{wish}")})
    });
    // Two lines meet behind the middle of the volume.
    let from = (order.first + order.chapters * 7 / 10).max(order.first + kept.len() as u32).min(order.last());
    let meeting = ids.get(1).map(|side| {
        let (to, lines) = ((from + 1).min(order.last()), [ids[0].as_str(), side.as_str()]);
        let (trigger, aftermath) = (desk.pick("trigger", volume), desk.pick("aftermath", volume));
        json!({"from": from, "to": to, "storylines": lines, "trigger": trigger, "aftermath": aftermath})
    });
    let beside = if ids.len() > 1 {
        "另一条线也浮出水面，两头的人迟早要在同一扇门前撞见。"
    } else {
        ""
    };
    let alive = context.storylines.lines.iter().filter(|line| line.status != Status::Ended);
    let mut reply = json!({
        "theme": desk.pick("theme", volume),
        "summary": format!("{}要{}。{beside}", desk.hero(), desk.pick("goal primary", volume)),
        "hook": if order.closing { String::new() } else { format!("{}。", desk.pick("hook", volume)) },
        "new_storylines": begun.into_iter().collect::<Vec<_>>(),
        "storylines": scheduled.collect::<Vec<_>>(),
        "convergences": meeting.into_iter().collect::<Vec<_>>(),
        "dormant": alive.map(|line| &line.id).filter(|id| !ids.contains(id)).map(Slug::as_str).collect::<Vec<_>>(),
    });
    if let Ok(reading) = plot_architect::schedule::read(&reply.to_string(), order) {
        let fixed: ChapterLines = kept.iter().map(|s| (s.chapter.get(), s.storyline.clone())).collect();
        let woven = weave(&reading.schedule, order.first..=order.last(), &fixed);
        for (at, id) in ids.iter().enumerate() {
            reply["storylines"][at]["chapters"] = woven.values().filter(|on| *on == id).count().into();
        }
        let woven_lines: Vec<&Slug> = woven.values().collect();
        let longest = |is_one: &dyn Fn(&Slug) -> bool| woven_lines.split(|line| !is_one(line)).map(<[_]>::len).max();
        reply["primary_max_consecutive"] = longest(&|line| *line == ids[0]).into();
        reply["secondary_every"] = ids[1..].iter().filter_map(|own| longest(&|line| line != own)).max().into();
        reply["foreshadowing"] = threads(&desk, order, kept, &woven).into();
    }
    reply.to_string()
}

/// The storylines of a volume, the main one first, and the one that begins there.
fn lines_of(desk: &OfflinePlanner<'_>, order: &VolumeOrder, kept: &[Section]) -> (Vec<Slug>, Option<Value>) {
    let (hero, storylines) = (desk.hero(), &desk.context.storylines);
    let on_kept = |id: &Slug| kept.iter().any(|section| section.storyline == *id);
    let alive = storylines.lines.iter().filter(|line| line.status != Status::Ended);
    // A resting line wakes only when nothing else runs.
    let is_awake = |line: &&Storyline| line.status != Status::Dormant || on_kept(&line.id);
    let all_rest = !alive.clone().any(|line| is_awake(&line));
    let mut ids: Vec<Slug> = alive.filter(|line| all_rest || is_awake(line)).map(|line| line.id.clone()).collect();
    // A book without lines gets a main one, under the id that the kept chapters use, and a volume with room a second one.
    let has_room = !order.closing && order.chapters >= SECOND_LINE_FROM && storylines.lines.len() < 3;
    let fresh = desk.stock.shuffled("plan line").into_iter().map(|line| line.splitn(3, ' ').collect::<Vec<&str>>());
    let mut fresh = fresh.filter(|line| storylines.lines.iter().all(|known| known.id.as_str() != line[0]));
    let mut people = desk.context.characters.iter().map(|person| person.display_name.as_str());
    let (kind, eyes, begun) = match ids.len() {
        0 => {
            let id = kept.first().map_or(MAIN_LINE, |section| section.storyline.as_str());
            ("main_arc", hero.as_str(), Some(vec![id, desk.pick("mainline", 0), "一个人要讨回一句实话"]))
        }
        1 if has_room => ("mystery", people.find(|name| *name != hero).unwrap_or(&hero), fresh.next()),
        _ => ("", "", None),
    };
    ids.extend(begun.iter().filter_map(|begun| Slug::new(begun[0]).ok()));
    ids.sort_by_key(|id| (Some(id) != storylines.main().map(|line| &line.id), !on_kept(id)));
    let free = order.chapters.saturating_sub(kept.len() as u32) as usize;
    let room = if order.closing { free } else { 1 + free / 3 };
    ids.truncate(room.max(ids.iter().filter(|id| on_kept(id)).count()).clamp(1, MAX_ACTIVE));
    let begun = begun.map(|line| {
        let (id, name, about) = (line[0], line[1], line[2]);
        json!({"id": id, "name": name, "type": kind, "scope": "novel", "description": about, "pov_characters": [eyes]})
    });
    (ids, begun)
}

pub(super) type ChapterLines = BTreeMap<u32, Slug>;

/// Which storyline each chapter of a volume is on; those in `fixed` are written already. Planning a volume in parts,
/// each with the parts before it fixed, gives the same lines as planning it at once.
pub(super) fn weave(schedule: &Schedule, chapters: RangeInclusive<u32>, fixed: &ChapterLines) -> ChapterLines {
    let (first, last) = chapters.into_inner();
    let schedule = schedule.fitted(first, last + 1 - first);
    let share = |line: &ScheduledLine| {
        let done = fixed.values().filter(|id| **id == line.storyline).count() as u32;
        line.target_chapters.saturating_sub(done).max(u32::from(done == 0))
    };
    let mut left: Vec<(&Slug, u32)> = schedule.active.iter().map(|line| (&line.storyline, share(line))).collect();
    let mut woven = fixed.clone();
    for chapter in (first..=last).filter(|chapter| !fixed.contains_key(chapter)) {
        let meeting = schedule.convergences.iter().find(|m| (m.chapters.0..=m.chapters.1).contains(&chapter));
        // Lines that are to meet keep a chapter for it.
        let ahead = |id: &Slug| schedule.convergences.iter().any(|m| m.chapters.0 > chapter && m.lines.contains(id));
        // A line is the more wanted the more chapters it still has and the longer it has been away.
        let wanted = |(id, left): &&mut (&Slug, u32)| {
            let seen = woven.range(..chapter).rev().find(|(_, line)| line == id);
            let away = seen.map_or(chapter + 3 - first, |(seen, _)| chapter + 1 - seen);
            let meets = meeting.is_none_or(|meeting| meeting.lines.contains(id) && away > 2);
            (*left > u32::from(ahead(id)), meets, *left * away)
        };
        let Some((line, left)) = left.iter_mut().rev().max_by_key(wanted) else { break };
        *left = left.saturating_sub(1);
        woven.insert(chapter, line.clone());
    }
    woven
}

/// The foreshadowing of a volume: what is open is paid off where that is due and met once more where it is not. Then
/// one thing is planted that reaches across the book, one that reaches into the next volume, and something short every
/// three chapters.
fn threads(desk: &OfflinePlanner<'_>, order: &VolumeOrder, kept: &[Section], lines: &ChapterLines) -> Vec<Value> {
    let (first, last) = (order.first + kept.len() as u32, order.last());
    let count = (last + 1).saturating_sub(first);
    let mut ledger = desk.context.ledger.clone();
    for (section, task) in kept.iter().flat_map(|section| section.tasks.iter().map(move |task| (section, task))) {
        let (id, detail) = (task.id.clone(), task.detail.clone());
        let op = ForeshadowOp { id, action: task.action, detail, scope: None, target: None };
        // An entry that the ledger has already stays as it is.
        ledger.apply(&op, section.chapter, &section.storyline).ok();
    }
    let (from, room) = if order.closing { (first + count / 2, count - count / 2) } else { (first, count) };
    let open = ledger.open().zip(0..).filter(|_| count > 0).map(|(entry, turn)| {
        let later = entry.target.filter(|(_, to)| *to > last);
        let by = entry.target.map(|(_, to)| to).filter(|to| (first..=last).contains(to));
        let at = by.unwrap_or(from + (1 + turn * 3) % room);
        let is_due = order.closing || entry.scope != Scope::Long && later.is_none();
        let advance: Vec<u32> = Some(at).filter(|_| !is_due).into_iter().collect();
        let (from, to) = if is_due { (at, at) } else { later.unwrap_or_default() };
        json!({
            "id": entry.id.as_str(), "description": entry.description, "scope": entry.scope.as_str(),
            "storyline": entry.storyline.as_str(), "plant": 0, "advance": advance, "resolve_from": from, "resolve_to": to,
        })
    });
    let long = (first + u32::from(count > 2), first + count.div_ceil(2), Scope::Long, (0, 0));
    let long = Some(long).filter(|_| !order.closing && count > 1 && !ledger.open().any(|it| it.scope == Scope::Long));
    let medium = (first + count / 4, first + count * 2 / 3, Scope::Medium, (last + 2, last + 5));
    let medium = Some(medium).filter(|_| !order.closing && order.chapters >= 8 && count >= 4);
    let short = (first..(last + 1).saturating_sub(4)).step_by(3).filter(|_| !order.closing);
    let short = short.map(|plant| (plant, plant + 2, Scope::Short, (plant + 4, (plant + 4 + plant % 3).min(last))));
    let new = long.into_iter().chain(medium).chain(short).zip(order.volume.get() as usize * 7..);
    let new = new.map(|((plant, again, scope, (from, to)), turn)| {
        let (word, name) = desk.thing(turn);
        json!({
            "id": format!("{word}_{plant}"), "description": format!("{name}：{}", desk.pick("truth", turn)),
            "scope": scope.as_str(), "storyline": lines.get(&plant).map(Slug::as_str), "plant": plant, "advance": [again],
            "resolve_from": from, "resolve_to": to,
        })
    });
    open.chain(new).collect()
}

/// One more storyline, from the author's wish.
pub(crate) fn line(context: &PlanningContext, wish: &str) -> String {
    let desk = OfflinePlanner::new(context);
    let wish = phrase(wish, 150).unwrap_or_default();
    let titled = wish.split_once('《').and_then(|(_, rest)| rest.split_once('》'));
    let first = wish.split(|c: char| !c.is_alphanumeric()).find(|part| part.chars().count() > 1).unwrap_or("旧事");
    let name = titled.map_or_else(|| clip(first, 6), |(title, _)| title);
    let mut names = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}（{n}）")));
    let name = names.find(|name| !context.storylines.lines.iter().any(|line| line.name == *name));
    let hero = desk.hero();
    let named = context.characters.iter().find(|person| person.is_named_in(&wish));
    let eyes = named.map_or(hero.as_str(), |person| person.display_name.as_str());
    let relation = context.storylines.main().map(|main| {
        json!({"with": main.id.as_str(), "shared_characters": [hero], "convergence": format!("{eyes}和{hero}撞在一处")})
    });
    json!({
        "storyline": {
            "id": "", "name": name, "type": "mystery", "scope": "multi_volume",
            "description": format!("{wish}。{eyes}想弄清它从哪里开始。"), "pov_characters": [eyes],
        },
        "relations": relation.into_iter().collect::<Vec<_>>(),
    })
    .to_string()
}

/// Reviews a volume. The end comes with the fourth one, or from the second on when nothing is open any more.
/// `离线进度: wrap_up, 8` in the brief asks for a course and for an estimate of what is left.
pub(crate) fn review(context: &PlanningContext, volume: VolumeNo) -> String {
    let open: Vec<&str> = context.ledger.open().map(|entry| entry.id.as_str()).collect();
    let overdue = context.ledger.open().filter(|entry| entry.overdue(context.last_completed));
    let asked = rehearsed(&context.brief, "离线进度", volume);
    let course = asked.first().and_then(|word| word.parse().ok()).unwrap_or(match volume.get() {
        2.. if open.is_empty() => Recommendation::ForceEnd,
        0..4 => Recommendation::Continue,
        _ => Recommendation::WrapUp,
    });
    let asked = asked.get(1).and_then(|count| count.parse().ok());
    let bridges = open.iter().take(3).filter(|_| course != Recommendation::ForceEnd);
    json!({
        "remarks": overdue.map(|entry| format!("伏笔 {} 该收了，现在还开着", entry.id)).collect::<Vec<_>>(),
        "bridges": bridges.map(|id| format!("让 {id} 再露一面，还是没人认得出它")).collect::<Vec<_>>(),
        "evaluation_result": course.as_str(), "chapters_left": asked.unwrap_or([60, 4 + 2 * open.len(), 0][course as usize]),
        "reason": if open.is_empty() { "伏笔都收了".into() } else { format!("还开着的伏笔：{}", open.join("、")) },
    })
    .to_string()
}
