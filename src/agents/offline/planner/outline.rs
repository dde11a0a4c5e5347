//! The chapters of a volume: new ones, gaps in the author's, and some whose ground has shifted.

use super::super::phrases::{clip, phrase};
use super::super::scenario::thing_in;
use super::Desk;
use super::volume::{Lines, weave};
use crate::agents::planners::context::{PlanningContext, VolumeOrder};
use crate::agents::prelude::*;
use crate::domain::volume::foreshadowing::Action;
use crate::domain::volume::outline::task::Task;
use crate::domain::volume::outline::{MAIN_LINE, Section};
use crate::domain::volume::plan::{Flaw, Plan};

/// How the conflict of a chapter says that it is not what it was.
const ANEW: &str = "，而规矩已经不是从前的规矩";

/// The outline of some chapters, or what a whole one would have where the author's leaves fields open.
pub(crate) fn outline(context: &PlanningContext, order: &VolumeOrder, plan: &Plan, chapters: &[u32]) -> String {
    let (desk, sections) = (Desk::new(context), plan.outline.sections.iter());
    let is_scheduled = |line: &Slug| {
        plan.schedule.as_ref().is_none_or(|schedule| schedule.active.iter().any(|of| of.storyline == *line))
    };
    let fixed = sections.clone().filter(|section| is_scheduled(&section.storyline));
    let fixed: Lines = fixed.map(|section| (section.chapter.get(), section.storyline.clone())).collect();
    let written: Vec<&Section> = sections.filter(|section| !chapters.contains(&section.chapter.get())).collect();
    let lines = plan.schedule.as_ref().map(|plan| weave(plan, order.first..=order.last(), &fixed)).unwrap_or_default();
    let main = context.storylines.main().map(|line| line.id.clone()).or_else(|| Slug::new(MAIN_LINE).ok());
    let chapters = chapters.iter().filter_map(|&number| {
        let line = lines.get(&number).or(main.as_ref())?;
        let next = lines.get(&(number + 1)).filter(|next| *next != line);
        Some(chapter(&desk, number, (line, next), &tasks(&desk, (order, plan), &written, number)))
    });
    json!({"chapters": chapters.collect::<Vec<_>>()}).to_string()
}

/// The person through whose eyes a chapter of a line is told.
fn pov_of(desk: &Desk<'_>, line: &Slug, turn: usize) -> String {
    let storyline = desk.context.storylines.get(line);
    let eyes: Vec<&String> = storyline.into_iter().flat_map(|line| &line.pov_characters).collect();
    let eyes = eyes.get(turn % eyes.len().max(1)).map_or("", |name| name.trim());
    let known = desk.context.characters.iter().find(|person| person.is_called(eyes));
    let known = known.map(|person| person.display_name.clone());
    known.or_else(|| phrase(eyes, 16)).unwrap_or_else(|| desk.hero())
}

/// A chapter on a line; `next` is the line of the next chapter where that is another one.
fn chapter(desk: &Desk<'_>, number: u32, (line, next): (&Slug, Option<&Slug>), tasks: &[Value]) -> Value {
    let (context, turn) = (desk.context, number as usize);
    let pov = pov_of(desk, line, turn);
    // Those of other lines stay out, where the line has people.
    let is_near =
        |person: &Character| context.storylines.home_of(person).is_none() || context.storylines.has_on(line, person);
    let others = context.characters.iter().filter(|person| person.display_name != pov);
    let has_own = others.clone().any(is_near);
    let others = others.filter(|person| is_near(person) || !has_own).map(|person| person.display_name.as_str());
    let mut others: Vec<&str> = others.filter(|name| !name.trim().is_empty()).collect();
    others.extend(Some(desk.stock.pick("路人", turn)).filter(|_| others.len() < 2));
    let partner = clip(others[turn % others.len()], 8);
    let place = desk.pick("place", turn);
    let thing = tasks.iter().find_map(|task| thing_in(task["detail"].as_str()?));
    let thing = thing.unwrap_or_else(|| desk.thing(turn * 3 + turn / 20).1.to_owned());
    let slots = [("主", pov.as_str()), ("客", partner), ("地", place), ("物", &thing), ("标", "眼前这件事")];
    let bridge = next.map(|next| {
        let (there, eyes) = (desk.pick("place", turn + 1), pov_of(desk, next, turn + 1));
        desk.fill("bridge", turn, &[("主", &pov), ("客", &eyes), ("地", there)])
    });
    // Every other chapter is about a rule.
    let rule =
        context.rules.get(turn / 2 % context.rules.len().max(1)).filter(|rule| rule.introduced_chapter <= number);
    let rules: Vec<&str> = rule.filter(|_| number.is_multiple_of(2)).map(|rule| rule.id.as_str()).into_iter().collect();
    json!({
        "chapter": number, "title": format!("{}{}", desk.pick("title half", turn), desk.pick("title noun", turn)),
        "storyline": line.as_str(), "pov": pov, "location": format!("{place}，{}", desk.pick("hour", turn)),
        "conflict": desk.fill("conflict", turn, &slots), "arc": desk.pick("arc", turn), "transition": bridge,
        "foreshadowing": tasks, "state_changes": [format!("{pov}到了{place}"), desk.fill("change", turn, &slots)],
        "rules": rules,
    })
}

/// The foreshadowing tasks that the plan has for a chapter. Trial chapters have no plan: one thing is planted in the
/// first and met again in the third.
fn tasks(desk: &Desk<'_>, (order, plan): (&VolumeOrder, &Plan), written: &[&Section], number: u32) -> Vec<Value> {
    if order.trial {
        let action = if number == order.first { "planted" } else { "advanced" };
        let detail = format!("头一盏灯：{}", desk.pick("truth", 0));
        let task = json!({"action": action, "id": "first_lamp", "detail": detail});
        return if number == order.first + 1 { Vec::new() } else { vec![task] };
    }
    let tasks = plan.foreshadowing.iter().filter_map(|planned| {
        let paid = |s: &&Section| s.tasks.iter().any(|t| t.id == planned.id && t.action == Action::Resolved);
        let is_due = planned.target.is_some_and(|(_, to)| to == number) && !written.iter().any(paid);
        let action = match () {
            () if planned.plant.is_some_and(|plant| plant.get() == number) => Action::Planted,
            () if is_due => Action::Resolved,
            () if planned.advance.contains(&number) => Action::Advanced,
            () => return None,
        };
        Some(json!({"action": action.as_str(), "id": planned.id.as_str(), "detail": planned.description}))
    });
    tasks.collect()
}

/// New sections for chapters whose ground has shifted. The last of them before a chapter that presupposes what no
/// chapter brings about brings it about.
pub(crate) fn amend(context: &PlanningContext, plan: &Plan, chapters: &[ChapterNo], flaws: &[Flaw]) -> String {
    let amended = |section: &Section| {
        let owed = flaws.iter().filter_map(|flaw| {
            let Flaw::Unfounded { chapter, fact } = flaw else { return None };
            let before = chapters.iter().filter(|amended| *amended < chapter).max();
            (before == Some(&section.chapter)).then_some(fact.as_str())
        });
        let is_planned = |task: &&Task| match plan.foreshadowing.iter().find(|planned| planned.id == task.id) {
            // A planting that the plan now has in another chapter is dropped here.
            Some(planned) => {
                task.action != Action::Planted || planned.plant.is_none_or(|plant| plant == section.chapter)
            }
            None => context.ledger.get(&task.id).is_some() || plan.schedule.is_none(),
        };
        let tasks = section.tasks.iter().filter(is_planned);
        let task = |task: &Task| json!({"action": task.action.as_str(), "id": task.id.as_str(), "detail": task.detail});
        let field = |field| section.field(field);
        let changes = field(Field::StateChanges).split(['；', ';', '\n']).map(str::trim).chain(owed);
        json!({
            "chapter": section.chapter.get(), "title": section.title, "storyline": section.storyline.as_str(),
            "pov": field(Field::Pov), "location": field(Field::Location), "arc": field(Field::Arc),
            "conflict": format!("{}{ANEW}", field(Field::Conflict).trim_end_matches(ANEW)),
            "foreshadowing": tasks.map(task).collect::<Vec<_>>(), "state_changes": changes.collect::<Vec<_>>(),
            "transition": field(Field::Transition), "payoff": field(Field::Payoff), "hook": field(Field::Hook),
            "rules": field(Field::Rules),
        })
    };
    let sections = chapters.iter().filter_map(|chapter| plan.outline.section(*chapter)).map(amended);
    json!({"chapters": sections.collect::<Vec<_>>()}).to_string()
}
