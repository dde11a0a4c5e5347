//! The planning agents' replies: a world, a theme, people, a storyline, a volume's schedule and its chapters, its review, and
//! a blurb.

mod outline;

use crate::agents::context::{answered, genre};
use crate::agents::offline::phrases::{Stock, clip, expand, phrase};
pub(super) use crate::agents::offline::planner::outline::{amend, cast, outline};
use crate::agents::offline::readers::rehearsed;
use crate::agents::planners::context::{PlanningContext, VolumeOrder};
use crate::agents::planners::plot_architect;
use crate::agents::prelude::*;
use crate::domain::volume::Recommendation;
use crate::domain::volume::foreshadowing::{ForeshadowOp, Scope};
use crate::domain::volume::outline::{MAIN_LINE, Section};
use crate::domain::world::storyline::{MAX_ACTIVE, Schedule, ScheduledLine, Status, Storyline};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

struct OfflinePlanner<'a> {
    context: &'a PlanningContext,
    stock: Stock,
}

impl<'a> OfflinePlanner<'a> {
    fn new(context: &'a PlanningContext) -> Self {
        Self { context, stock: Stock::of(&context.config) }
    }

    fn pick(&self, name: &str, turn: usize) -> &'static str {
        self.stock.pick(&format!("plan {name}"), turn)
    }

    /// A pattern of a pool with these words in its slots, as one entry of an outline's field.
    fn fill(&self, name: &str, turn: usize, slots: &[(&str, &str)]) -> String {
        let own = |slot: &str| slots.iter().find(|(name, _)| *name == slot).map(|(_, words)| *words);
        expand(self.pick(name, turn), turn, &mut |slot| own(slot).unwrap_or("什么").to_owned())
    }

    /// The thing of a foreshadowing: the word of its id, and its name.
    fn thing(&self, turn: usize) -> (&'static str, &'static str) {
        self.pick("thing", turn).split_once(' ').unwrap_or(("token", "旧物"))
    }

    /// The text under a heading of the brief; `None` for an empty section.
    fn brief(&self, heading: &str) -> Option<String> {
        let text = answered(&self.context.brief);
        let lines =
            text.lines().skip_while(|line| line.trim_start_matches('#').trim() != heading || !line.starts_with('#'));
        let body = lines.skip(1).take_while(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        let text = clip(body.trim().trim_start_matches(['-', '*', ' ']), 160);
        text.chars().any(char::is_alphanumeric).then(|| text.to_owned())
    }

    /// The name of the main character: as the book has it, as the brief begins with it, or an invented one.
    fn hero(&self) -> String {
        let people = self.context.characters.iter().filter(|person| !person.display_name.is_empty());
        let known = people.min_by_key(|person| !person.role.contains("protagonist"));
        let known = known.map(|person| person.display_name.clone());
        let written = || self.brief("主角").and_then(|text| outline::name_in(&text));
        known.or_else(written).unwrap_or_else(|| self.pick("name", 0).split(' ').next().unwrap_or_default().to_owned())
    }
}

/// Theme and conflict: the author's own words where the brief has them.
pub(super) fn theme(context: &PlanningContext) -> String {
    let desk = OfflinePlanner::new(context);
    let (hero, brief) = (desk.hero(), |heading: &str| desk.brief(heading));
    let rule = context.rules.first().map_or("这里的规矩不认人情", |rule| rule.rule.trim_end_matches('。'));
    json!({
        "logline": brief("一句话").unwrap_or_else(|| format!("{hero}想讨回一句实话，挡在面前的是{rule}。")),
        "theme": brief("主题").unwrap_or_else(|| format!("{}？", desk.pick("question", 0))),
        "conflict": brief("核心冲突").unwrap_or_else(|| format!("{hero}要揭开一桩众人都靠它安稳的旧事，而{rule}。")),
        "ending": brief("结局方向").unwrap_or_else(|| format!("{}。", desk.pick("ending", 0))),
    })
    .to_string()
}

/// Texts that sell the book, from its title and its brief.
pub(super) fn blurb(context: &PlanningContext) -> String {
    let desk = OfflinePlanner::new(context);
    let (hero, title) = (desk.hero(), context.config.title.as_str());
    let brief = |heading: &str| desk.brief(heading);
    let own = if title.is_empty() { format!("{hero}的旧账") } else { title.to_owned() };
    let rules = context.rules.iter().take(3).map(|rule| rule.rule.clone());
    let blurb =
        ["一句话", "核心冲突", "主题"].into_iter().filter_map(brief).chain([format!("{hero}的路，从第一章开始。")]);
    json!({
        "titles": [own, format!("{hero}记"), format!("问{hero}")],
        "blurb": blurb.collect::<Vec<_>>(),
        "tags": [genre(&context.config), "连载"],
        "selling_points": rules.collect::<Vec<_>>(),
    })
    .to_string()
}

/// A first world, with rules and pages that the book does not have yet, or one rule that was asked for.
pub(super) fn world(context: &PlanningContext, request: &str) -> String {
    let desk = OfflinePlanner::new(context);
    let is_new = |text: &str| !context.rules.iter().any(|rule| rule.rule.trim() == text);
    let rule = |sort: &str, text: &str, but: &[&str]| json!({"category": sort, "rule": text, "exceptions": but});
    let asked = |topic: &str| {
        let worded = |turn: usize| {
            let days = if turn < 6 { String::new() } else { format!("，违者罚期{turn}日") };
            desk.fill("rule asked", turn, &[("愿", topic)]) + &days
        };
        rule("补充", &(0..).map(worded).find(|text| is_new(text)).unwrap_or_default(), &[])
    };
    if !request.trim().is_empty() {
        let topic = request.split_once("关于").map_or(request, |(_, topic)| topic);
        let topic = topic.split_once("的规").map_or(topic, |(topic, _)| topic);
        let rule = asked(&phrase(topic, 40).unwrap_or_default());
        return json!({"rules": [rule], "documents": [], "storyline": {"name": "", "description": ""}}).to_string();
    }
    let own = desk.stock.shuffled("plan rule").into_iter().filter_map(|line| {
        let parts: Vec<&str> = line.split(" >> ").filter(|part| *part != "无").collect();
        is_new(parts[1]).then(|| rule(parts[0], parts[1], &parts[2..]))
    });
    let rules: Vec<Value> = own.chain((0..).map(|turn| asked(desk.thing(turn).1))).take(3).collect();
    let pages = desk.stock.pool("plan page").into_iter().filter_map(|page| page.split_once(" >> "));
    let pages = pages.filter(|(name, _)| !context.world.iter().any(|note| note.name.trim_end_matches(".md") == *name));
    let description = desk.brief("核心冲突");
    let description = description.unwrap_or_else(|| format!("{}里的寻常人揭开了一桩旧事。", genre(&context.config)));
    json!({
        "rules": rules,
        "documents": pages.map(|(name, text)| json!({"name": name, "text": text})).collect::<Vec<_>>(),
        "storyline": {"name": desk.pick("mainline", 0), "description": description},
    })
    .to_string()
}

#[cfg(test)]
mod tests;

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
