//! The chapters of a volume: new ones, gaps in the author's, and some whose ground has shifted.
//! People: what they want, lack and refuse, how they speak, and how they stand to each other.

use crate::agents::offline::phrases::{clip, phrase};
use crate::agents::offline::planner::{ChapterLines, OfflinePlanner, weave};
use crate::agents::offline::scenario::thing_in;
use crate::agents::planners::context::{CastRequest, PlanningContext, VolumeOrder};
use crate::agents::prelude::*;
use crate::domain::volume::outline::{MAIN_LINE, Section, ThreadTask};
use crate::domain::volume::plan::{Flaw, Plan};
use crate::domain::world::contract::{CharacterContract, names_id};
use crate::text::is_common;

/// How the conflict of a chapter says that it is not what it was.
const ANEW: &str = "，而规矩已经不是从前的规矩";

/// The outline of some chapters, or what a whole one would have where the author's leaves fields open.
pub(crate) fn outline(context: &PlanningContext, order: &VolumeOrder, plan: &Plan, chapters: &[u32]) -> String {
    let (desk, sections) = (OfflinePlanner::new(context), plan.outline.sections.iter());
    let is_scheduled = |line: &Slug| {
        plan.schedule.as_ref().is_none_or(|schedule| schedule.active.iter().any(|of| of.storyline == *line))
    };
    let fixed = sections.clone().filter(|section| is_scheduled(&section.storyline));
    let fixed: ChapterLines = fixed.map(|section| (section.chapter.get(), section.storyline.clone())).collect();
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
fn pov_of(desk: &OfflinePlanner<'_>, line: &Slug, turn: usize) -> String {
    let storyline = desk.context.storylines.get(line);
    let eyes: Vec<&String> = storyline.into_iter().flat_map(|line| &line.pov_characters).collect();
    let eyes = eyes.get(turn % eyes.len().max(1)).map_or("", |name| name.trim());
    let known = desk.context.characters.iter().find(|person| person.is_called(eyes));
    let known = known.map(|person| person.display_name.clone());
    known.or_else(|| phrase(eyes, 16)).unwrap_or_else(|| desk.hero())
}

/// A chapter on a line; `next` is the line of the next chapter where that is another one.
fn chapter(desk: &OfflinePlanner<'_>, number: u32, (line, next): (&Slug, Option<&Slug>), tasks: &[Value]) -> Value {
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
fn tasks(
    desk: &OfflinePlanner<'_>,
    (order, plan): (&VolumeOrder, &Plan),
    written: &[&Section],
    number: u32,
) -> Vec<Value> {
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
        let is_planned = |task: &&ThreadTask| match plan.foreshadowing.iter().find(|planned| planned.id == task.id) {
            // A planting that the plan now has in another chapter is dropped here.
            Some(planned) => {
                task.action != Action::Planted || planned.plant.is_none_or(|plant| plant == section.chapter)
            }
            None => context.ledger.get(&task.id).is_some() || plan.schedule.is_none(),
        };
        let tasks = section.tasks.iter().filter(is_planned);
        let task =
            |task: &ThreadTask| json!({"action": task.action.as_str(), "id": task.id.as_str(), "detail": task.detail});
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

/// The characters that end a name at the beginning of a description.
const ENDS: [char; 14] = ['，', ',', '：', ':', '（', '(', '、', '；', '。', '\n', '！', '？', '—', ' '];

/// The first people of a book, one more, or one changed.
pub(crate) fn cast(context: &PlanningContext, request: &CastRequest) -> String {
    let desk = OfflinePlanner::new(context);
    let written = desk.brief("主角").unwrap_or_default();
    let wish = request.wish();
    if let CastRequest::Update { id, .. } = request
        && let Some(known) = context.characters.iter().find(|person| person.id == *id)
    {
        return json!({"characters": [changed(known, wish)], "relationships": []}).to_string();
    }
    let is_enemy = ["反派", "对手", "仇", "敌"].iter().any(|word| wish.contains(word));
    let lead = if wish.trim().is_empty() { &written } else { wish };
    let wishes = match request {
        CastRequest::First { .. } => vec![(lead, "protagonist"), ("", "antagonist"), ("", "supporting")],
        _ => vec![(wish, if is_enemy { "antagonist" } else { "supporting" })],
    };
    let mut taken: Vec<String> = context.characters.iter().flat_map(Character::names).map(str::to_owned).collect();
    let mut met: Vec<String> = (!context.characters.is_empty()).then(|| desk.hero()).into_iter().collect();
    let (mut people, mut relations) = (Vec::new(), Vec::new());
    let first = if wishes.len() > 1 { 0 } else { taken.len() };
    for ((wish, role), turn) in wishes.into_iter().zip(first..) {
        let given = name_in(wish).or_else(|| name_in(&written).filter(|_| role == "protagonist"));
        let given = given.filter(|name| role == "protagonist" || !taken.contains(name)).map(|name| (name, "他"));
        let named = given.unwrap_or_else(|| invent(&desk, &taken, turn));
        people.push(person(&desk, &named, role, wish, turn));
        met.retain(|other| *other != named.0);
        relations.extend(met.iter().enumerate().map(|(at, other)| {
            let (kind, note) = desk.pick("relation", turn + at).split_once(" >> ").unwrap_or_default();
            json!({"from": named.0, "to": other, "type": kind, "note": note})
        }));
        met.push(named.0.clone());
        taken.push(named.0);
    }
    json!({"characters": people, "relationships": relations}).to_string()
}

/// The name that a text gives a person: after 名叫 and its like, or at its beginning.
pub(super) fn name_in(text: &str) -> Option<String> {
    /// Beginnings of descriptions.
    const NOT_A_NAME: &str = "一加新再给有把请想要某他她";
    /// Words that are built like familiar names.
    const CALLINGS: [&str; 8] = ["老师", "老兵", "老板", "老人", "老头", "小姐", "小孩", "阿姨"];
    let is_of_name = |c: &char| c.is_alphanumeric() && *c != '的' || *c == '·';
    let after = ["名叫", "名为", "叫做", "叫作", "姓名：", "叫"].iter().find_map(|word| text.split_once(word));
    let called: String = after.map_or("", |(_, rest)| rest).chars().take_while(is_of_name).take(4).collect();
    if called.chars().count() > 1 {
        return Some(called);
    }
    let first = text.trim().split(ENDS).next()?;
    let fits = (2..=8).contains(&first.chars().count()) && first.chars().all(|c| is_of_name(&c));
    let is_familiar = first.starts_with(['老', '小', '阿']) && !CALLINGS.contains(&first);
    let is_name = first != text.trim() || is_familiar || !is_common(first);
    (fits && is_name && !first.starts_with(|c| NOT_A_NAME.contains(c)) && first != "主角").then(|| first.to_owned())
}

/// A new name with its pronoun, beginning with a character that no other name begins with while there are such names.
fn invent(desk: &OfflinePlanner<'_>, taken: &[String], turn: usize) -> (String, &'static str) {
    let all = desk.stock.shuffled("plan name");
    let all = (turn..turn + all.len()).filter_map(|at| all[at % all.len()].split_once(' '));
    let free: Vec<(&str, &str)> = all.filter(|(name, _)| !taken.iter().any(|taken| taken == name)).collect();
    let alone = |(name, _): &&(&str, &str)| !taken.iter().any(|taken| taken.chars().next() == name.chars().next());
    let found = free.iter().find(alone).or(free.first());
    found.map_or_else(|| (format!("无名{}", taken.len()), "他"), |(name, pronoun)| ((*name).to_owned(), pronoun))
}

fn person(desk: &OfflinePlanner<'_>, (name, pronoun): &(String, &str), role: &str, said: &str, turn: usize) -> Value {
    let female = ["她", "女", "姑娘", "夫人", "母亲", "妻", "婆", "娘"].iter().any(|word| said.contains(word));
    let pronoun = if female { "她" } else { pronoun };
    let said = phrase(&said.replace(&format!("名叫{name}的"), "").replacen(name, "", 1), 90).unwrap_or_default();
    let opening = if said.is_empty() {
        format!("{name}是{}，旁人提起{pronoun}，先说手艺，再摇头。", desk.pick("trade", turn))
    } else {
        format!("{name}，{said}。")
    };
    let traits = ["want", "lack", "refuse", "urgent", "habit"].map(|it| format!("{pronoun}{}", desk.pick(it, turn)));
    let rules = &desk.context.rules;
    let bound = rules.get(turn % rules.len().max(1)).map_or_else(String::new, |rule| format!("（{}）", rule.id));
    let rule = |kind: &str| format!("{name}{}", desk.pick(kind, turn));
    json!({
        "name": name, "aliases": [], "role": role, "profile": opening + &traits.concat(),
        "speech": desk.pick("speech", turn),
        "contracts": [
            contract("capability", &(rule("capability") + &bound), &[], "大纲里写明学会或失去了这门本事"),
            contract("personality", &rule("personality"), &[], "大纲里写明为何破了这个例"),
        ],
    })
}

/// The person with a change, or, where the wish names contracts, with those alone held against rules that have changed.
fn changed(known: &Character, wish: &str) -> Value {
    const ANEW: &str = "，以如今的规则为准";
    let named = |contract: &CharacterContract| names_id(wish, &contract.id);
    let kept = |known: &CharacterContract| {
        let anew = if named(known) { ANEW } else { "" };
        let requires = known.update_requires.as_deref().unwrap_or_default();
        contract(&known.kind, &format!("{}{anew}", known.rule.trim_end_matches(anew)), &known.exceptions, requires)
    };
    let mut contracts: Vec<Value> = known.contracts.iter().map(kept).collect();
    let (name, mut profile) = (&known.display_name, known.profile.clone());
    if !known.contracts.iter().any(named) {
        let wish = phrase(wish, 200).unwrap_or_default();
        profile = format!("{}\n\n如今有了一桩变化：{wish}。", profile.trim_end());
        let rule = format!("{name}从此的言行要合得上“{}”", clip(&wish, 40));
        contracts.push(contract("personality", &rule, &[], "大纲里写明又一次转变"));
    }
    json!({
        "name": name, "aliases": known.aliases, "profile": profile.trim_start(), "speech": known.speech,
        "role": if known.role.trim().is_empty() { "supporting" } else { &known.role },
        "contracts": contracts,
    })
}

fn contract(kind: &str, rule: &str, exceptions: &[String], update_requires: &str) -> Value {
    json!({"type": kind, "rule": rule, "exceptions": exceptions, "update_requires": update_requires})
}

#[cfg(test)]
mod tests {
    use super::name_in;

    #[test]
    fn a_name_is_found_where_one_is_given() {
        let cases =
            [("阿七，卖票的", "阿七"), ("老周", "老周"), ("加一个名叫周闻笛的女记者", "周闻笛"), ("沈渡", "沈渡")];
        for (wish, name) in cases {
            assert_eq!(name_in(wish).as_deref(), Some(name));
        }
        for wish in ["一个老捕快，腿有旧伤", "对手", "师父", "老兵", "卖票的", ""] {
            assert_eq!(name_in(wish), None, "{wish}");
        }
    }
}
