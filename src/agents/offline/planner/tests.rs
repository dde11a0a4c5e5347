//! The planners' answers, read as the program reads a model's and held against the domain's own checks.
use crate::agents::Task;
use crate::agents::offline::answer;
use crate::agents::planners::character_weaver::{self, CastReading};
use crate::agents::planners::context::{CastRequest, PlanningContext, VolumeOrder};
use crate::agents::planners::plot_architect::outline::{self, BATCH};
use crate::agents::planners::plot_architect::{self, schedule};
use crate::agents::planners::{amendments, world_builder};
use crate::agents::prelude::*;
use crate::domain::volume::Recommendation;
use crate::domain::volume::foreshadowing::{ForeshadowOp, Ledger, Scope};
use crate::domain::volume::outline::{Outline, Section};
use crate::domain::volume::plan::{Plan, PlanBasis};
use crate::domain::world::contract::{CharacterContract, Rule, Strength};
use crate::domain::world::storyline::{Reach, Status, Storyline, Storylines, VolumeRole};
use proptest::prelude::*;

const BRIEF: &str = "# 纲领\n\n## 题材与读者\n\n通勤路上想看人讨债的人\n\n## 核心冲突\n\n<!-- 主角和谁？ -->\n沈渡要渡人过河，船主要他烧船。\n\n## 主角\n\n沈渡，摆渡人\n";

fn slug(text: &str) -> Slug {
    Slug::new(text).unwrap()
}

fn person(id: &str, name: &str, role: &str, lines: &[&str]) -> Character {
    let contract = CharacterContract {
        id: format!("C-{id}-001"),
        kind: "personality".into(),
        rule: format!("{name}不失信"),
        exceptions: vec!["对死人".into()],
        valid_from: 1,
        valid_until: None,
        update_requires: Some("有人先失信".into()),
    };
    Character {
        id: slug(id),
        display_name: name.into(),
        aliases: vec![],
        former_names: vec![],
        role: role.into(),
        storylines: lines.iter().map(|line| slug(line)).collect(),
        speech: "话少".into(),
        profile: format!("{name}在河边长大。"),
        contracts: vec![contract],
    }
}

fn line(id: &str, name: &str, kind: &str, status: Status) -> Storyline {
    Storyline {
        id: slug(id),
        name: name.into(),
        kind: kind.into(),
        reach: Reach::Novel,
        status,
        pov_characters: vec![],
        factions: vec![],
        timeline: "present".into(),
        description: String::new(),
        introduced: None,
    }
}

fn context(title: &str, genre: &str) -> PlanningContext {
    PlanningContext {
        config: BookConfig { title: title.into(), genre: genre.into(), offline: true, ..BookConfig::default() },
        brief: BRIEF.into(),
        characters: vec![
            person("a-qi", "阿七", "supporting", &[]),
            person("shen-du", "沈渡", "protagonist", &["main-arc"]),
            person("zhou-wen", "周闻", "antagonist", &[]),
        ],
        storylines: Storylines {
            lines: vec![line("main-arc", "赎灯", "main_arc", Status::Active)], relations: vec![]
        },
        ..PlanningContext::default()
    }
}

fn order(volume: u32, first: u32, chapters: u32) -> VolumeOrder {
    VolumeOrder {
        volume: VolumeNo::new(volume).unwrap(),
        first,
        chapters,
        wish: String::new(),
        trial: false,
        closing: false,
        fill: false,
    }
}

fn schedule(context: &PlanningContext, order: &VolumeOrder, kept: &[Section]) -> String {
    super::schedule(context, order, kept)
}

fn ground_of(context: &PlanningContext, order: &VolumeOrder, ledger: &Ledger) -> PlanBasis {
    PlanBasis {
        first: order.first,
        chapters: Some(order.chapters),
        storylines: context.storylines.clone(),
        characters: context.characters.clone(),
        ledger: ledger.clone(),
        standing: BTreeMap::new(),
        last_on: BTreeMap::new(),
        rules: BTreeSet::new(),
        written: context.last_completed,
        closing: order.closing,
        ..PlanBasis::default()
    }
}

/// Plans a volume step by step as the program does; new storylines join the lore.
fn planned(context: &mut PlanningContext, order: &VolumeOrder, kept: &str, ledger: &Ledger) -> (Plan, PlanBasis) {
    let kept_sections = if kept.is_empty() { vec![] } else { Outline::parse(kept).unwrap().sections };
    let reading = schedule::read(&schedule(context, order, &kept_sections), order).unwrap();
    context.storylines.lines.extend(reading.new_lines.clone());
    let basis = ground_of(context, order, ledger);
    let mut plan = Plan {
        outline: Outline { preface: String::new(), sections: kept_sections.clone() },
        schedule: Some(reading.schedule),
        foreshadowing: reading.foreshadowing,
        contracts: BTreeMap::new(),
    };
    let mut text = kept.to_owned();
    let mut from = order.first + kept_sections.len() as u32;
    while from <= order.last() {
        let to = (from + BATCH - 1).min(order.last());
        let reply = super::outline(context, order, &plan, &(from..=to).collect::<Vec<u32>>());
        assert_eq!(reply, super::outline(context, order, &plan, &(from..=to).collect::<Vec<u32>>()));
        text.push_str(&outline::read(&reply, from, to).unwrap().join("\n"));
        plan.outline = Outline::parse(&text).unwrap();
        from = to + 1;
    }
    plan.contracts = plan.derived(&basis);
    (plan, basis)
}

fn assert_sound(plan: &Plan, basis: &PlanBasis, what: &str) {
    assert_eq!(plan.flaws(basis), [], "{what}");
    let schedule = plan.schedule.as_ref().unwrap();
    let (first, last) = (basis.first, basis.first + basis.chapters.unwrap() - 1);
    assert_eq!(schedule.active.iter().map(|line| line.target_chapters).sum::<u32>(), last + 1 - first, "{what}");
    assert_eq!(schedule.active.iter().filter(|line| line.role == VolumeRole::Primary).count(), 1, "{what}");
    for line in &schedule.active {
        let found = plan.outline.sections.iter().filter(|section| section.storyline == line.storyline).count() as u32;
        assert!(found.abs_diff(line.target_chapters) <= 1, "{what}: {} has {found}", line.storyline);
    }
    for meeting in &schedule.convergences {
        assert!(meeting.chapters.0 * 2 >= first + last, "{what}: {meeting:?}");
        for section in plan
            .outline
            .sections
            .iter()
            .filter(|s| (meeting.chapters.0..=meeting.chapters.1).contains(&s.chapter.get()))
        {
            assert!(meeting.lines.contains(&section.storyline), "{what}");
        }
    }
    assert_eq!(schedule.convergences.is_empty(), schedule.active.len() < 2, "{what}");
    for planned in &plan.foreshadowing {
        let did = |action| {
            let tasks = plan.outline.sections.iter().flat_map(|section| &section.tasks);
            tasks.filter(|task| task.id == planned.id && task.action == action).count()
        };
        let due = planned.target.is_some_and(|(_, to)| (first..=last).contains(&to));
        assert_eq!(did(Action::Resolved), usize::from(due), "{what}: {planned:?}");
        if planned.plant.is_some() {
            assert_eq!(did(Action::Planted), 1, "{what}: {planned:?}");
        }
    }
    let ids: BTreeSet<&Slug> = plan.foreshadowing.iter().map(|planned| &planned.id).collect();
    assert_eq!(ids.len(), plan.foreshadowing.len(), "{what}");
    for pair in plan.outline.sections.windows(2) {
        let leads = !pair[0].field(Field::Transition).is_empty();
        let is_kept =
            pair[0].tasks.iter().any(|task| task.id.as_str() == "first_lamp" && task.action != Action::Resolved);
        assert!(is_kept || leads == (pair[0].storyline != pair[1].storyline), "{what}: {}", pair[0].source);
    }
    for section in &plan.outline.sections {
        assert!((2..=6).contains(&section.title.chars().count()), "{}", section.title);
        assert!(section.field(Field::Conflict).chars().count() <= 60, "{}", section.source);
        let facts: Vec<&str> = section.field(Field::StateChanges).split('；').collect();
        assert_eq!(facts.len(), 2, "{}", section.source);
        assert!(facts.iter().all(|fact| fact.chars().count() <= 24), "{}", section.source);
        assert!(section.field(Field::Arc).starts_with('从') && section.field(Field::Arc).contains('到'));
        assert!(!section.source.contains(['{', '}', '[', ']']), "{}", section.source);
    }
}

/// The ledger after the volume: what its chapters did, with reach and date from the plan.
fn after(plan: &Plan, mut ledger: Ledger) -> Ledger {
    for section in &plan.outline.sections {
        for task in &section.tasks {
            let detail = task.detail.clone();
            let op = ForeshadowOp { id: task.id.clone(), action: task.action, detail, scope: None, target: None };
            ledger.apply(&op, section.chapter, &section.storyline).unwrap();
        }
    }
    for planned in &plan.foreshadowing {
        if let Some(entry) = ledger.entries.iter_mut().find(|entry| entry.id == planned.id) {
            entry.scope = planned.scope;
            entry.target = planned.target;
            entry.description.clone_from(&planned.description);
        }
    }
    ledger
}

fn trial(context: &PlanningContext) -> String {
    let order = VolumeOrder { trial: true, ..order(1, 1, 3) };
    let reply = super::outline(context, &order, &Plan::default(), &[1, 2, 3]);
    outline::read(&reply, 1, 3).unwrap().join("\n") + "\n"
}

const SIZES: [u32; 7] = [5, 8, 12, 30, 33, 34, 50];
const BOOKS: [(&str, &str); 4] = [("渡", "古风仙侠"), ("第七码头", "都市悬疑"), ("环廊", "科幻"), ("", "")];

#[test]
fn a_first_volume_of_any_size_is_sound() {
    for (title, genre) in BOOKS {
        for chapters in SIZES {
            let mut context = context(title, genre);
            let (plan, basis) = planned(&mut context, &order(1, 1, chapters), "", &Ledger::default());
            assert_sound(&plan, &basis, &format!("{genre} {chapters}"));
            assert_eq!(context.storylines.lines.len(), if chapters < 8 { 1 } else { 2 });
            let count = plan.foreshadowing.len() as u32;
            assert!(count >= chapters / 5 && count <= chapters / 2 + 2, "{chapters}: {count}");
            if chapters >= 8 {
                assert!(plan.foreshadowing.iter().any(|planned| planned.scope == Scope::Medium));
            }
            assert_eq!(plan.foreshadowing.iter().filter(|planned| planned.scope == Scope::Long).count(), 1);
        }
    }
}

#[test]
fn a_volume_goes_on_from_its_trial_chapters() {
    for (title, genre) in BOOKS {
        for chapters in SIZES.into_iter().chain([4, 6, 7]) {
            for accepted in [false, true] {
                let mut context = context(title, genre);
                let kept = trial(&context);
                let sections = Outline::parse(&kept).unwrap().sections;
                assert_eq!(sections[0].tasks[0].id.as_str(), "first_lamp");
                assert_eq!(sections[2].tasks[0].action, Action::Advanced);
                if accepted {
                    let outline = Outline { preface: String::new(), sections };
                    context.ledger = after(&Plan { outline, ..Plan::default() }, Ledger::default());
                }
                let (plan, basis) = planned(&mut context, &order(1, 1, chapters), &kept, &Ledger::default());
                assert_sound(&plan, &basis, &format!("{genre} {chapters} {accepted}"));
                assert!(plan.foreshadowing.iter().all(|planned| planned.plant.is_none_or(|plant| plant.get() > 3)));
            }
        }
    }
}

#[test]
fn volumes_follow_each_other() {
    for (title, genre) in BOOKS {
        for sizes in [[12, 12, 12], [34, 33, 33], [5, 30, 8], [50, 5, 50], [8, 8, 34], [33, 50, 12]] {
            let mut context = context(title, genre);
            let mut first = 1;
            let mut titles = BTreeSet::new();
            for (at, chapters) in sizes.into_iter().enumerate() {
                let order = order(at as u32 + 1, first, chapters);
                let ledger = context.ledger.clone();
                let (plan, basis) = planned(&mut context, &order, "", &ledger);
                let what = format!("{genre} {sizes:?} volume {}", at + 1);
                assert_sound(&plan, &basis, &what);
                for open in ledger.open() {
                    assert!(plan.foreshadowing.iter().any(|planned| planned.id == open.id), "{what}: {}", open.id);
                }
                titles.extend(plan.outline.sections.iter().map(|section| section.title.clone()));
                context.ledger = after(&plan, ledger).carried_over();
                assert!(context.ledger.open().all(|entry| entry.scope != Scope::Short), "{what}: {:?}", context.ledger);
                assert!(context.ledger.entries.len() <= 4, "{what}: {}", context.ledger.entries.len());
                first += chapters;
                context.last_completed = first - 1;
            }
            assert_eq!(titles.len() as u32, sizes.iter().sum::<u32>());
            assert!(context.storylines.lines.len() <= 4);
        }
    }
}

#[test]
fn the_volume_that_ends_the_book_leaves_nothing_open() {
    for (title, genre) in BOOKS {
        for (before, chapters) in [(12, 3), (34, 5), (8, 12), (50, 30), (33, 8)] {
            let mut context = context(title, genre);
            let (plan, _) = planned(&mut context, &order(1, 1, before), "", &Ledger::default());
            context.ledger = after(&plan, Ledger::default()).carried_over();
            context.last_completed = before;
            let ledger = context.ledger.clone();
            assert!(ledger.open().any(|entry| entry.scope == Scope::Long), "{genre} {before}");
            let last = VolumeOrder { closing: true, ..order(2, before + 1, chapters) };
            let (plan, basis) = planned(&mut context, &last, "", &ledger);
            let what = format!("{genre} {before}+{chapters}");
            assert_eq!(plan.flaws(&basis), [], "{what}");
            assert!(after(&plan, ledger).open().next().is_none() && plan.schedule.unwrap().closing, "{what}");
            assert!(basis.closing && context.storylines.lines.len() <= 4, "{what}");
        }
    }
}

#[test]
fn a_review_sees_the_end_coming_or_says_what_the_brief_rehearses() {
    let mut context = context("第七码头", "都市悬疑");
    let (plan, _) = planned(&mut context, &order(1, 1, 12), "", &Ledger::default());
    context.ledger = after(&plan, Ledger::default());
    let judged = |context: &PlanningContext, volume: u32| {
        let task = Task::Review { context, volume: VolumeNo::new(volume).unwrap(), figures: &[] };
        assert_eq!(answer(&task), answer(&task));
        plot_architect::read_review(&answer(&task)).unwrap()
    };
    let first = judged(&context, 1);
    assert_eq!((first.course, first.remarks.len()), (Some(Recommendation::Continue), 0));
    assert!(!first.bridges.is_empty() && first.reason.contains('_'), "{first:?}");
    assert_eq!(judged(&context, 4).course, Some(Recommendation::WrapUp));
    context.brief.push_str("\n离线进度(vol-01): force_end\n离线进度: wrap_up, 7\n");
    assert_eq!(judged(&context, 1).course, Some(Recommendation::ForceEnd));
    assert_eq!(
        (judged(&context, 2).course, judged(&context, 2).chapters_left),
        (Some(Recommendation::WrapUp), Some(7))
    );
    context.brief.clear();
    context.ledger = Ledger::default();
    assert_eq!(
        (judged(&context, 2).course, judged(&context, 1).course),
        (Some(Recommendation::ForceEnd), Some(Recommendation::Continue))
    );
}

#[test]
fn ended_lines_stay_out_and_a_crowded_book_is_cut_to_four() {
    let mut context = context("渡", "武侠");
    context.storylines.lines.insert(0, line("gone", "旧", "main_arc", Status::Ended));
    for n in 0..5 {
        context.storylines.lines.push(line(&format!("side-{n}"), "支", "mystery", Status::Active));
    }
    context.storylines.lines.push(line("asleep", "睡", "mystery", Status::Dormant));
    for chapters in SIZES {
        let (plan, basis) = planned(&mut context.clone(), &order(2, 40, chapters), "", &Ledger::default());
        assert_sound(&plan, &basis, &chapters.to_string());
        assert!(plan.schedule.unwrap().dormant.contains(&slug("asleep")));
    }
}

#[test]
fn a_book_without_anything_is_planned_all_the_same() {
    let mut context = PlanningContext::default();
    let (plan, basis) = planned(&mut context, &order(1, 1, 12), "", &Ledger::default());
    assert_sound(&plan, &basis, "empty");
    assert_eq!(context.storylines.lines[0].id.as_str(), "main-arc");
    assert!(plan.outline.sections.iter().all(|section| !section.field(Field::Pov).contains('无')));
}

#[test]
fn two_thousand_chapters_have_two_thousand_titles() {
    for (title, genre) in BOOKS {
        let context = context(title, genre);
        let reply = super::outline(&context, &order(1, 1, 2000), &Plan::default(), &(1..=2000).collect::<Vec<u32>>());
        let outline = Outline::parse(&outline::read(&reply, 1, 2000).unwrap().join("\n")).unwrap();
        let titles: BTreeSet<&str> = outline.sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles.len(), 2000);
        let conflicts: BTreeSet<&str> = outline.sections[..100].iter().map(|s| s.field(Field::Conflict)).collect();
        assert!(conflicts.len() > 90, "{genre}: {}", conflicts.len());
    }
}

#[test]
fn a_first_world_has_a_few_rules_pages_and_a_line() {
    for (title, genre) in BOOKS {
        let mut context = context(title, genre);
        context.brief = if genre.is_empty() { String::new() } else { BRIEF.into() };
        // Asked again and again, it never repeats a rule.
        for round in 0..5 {
            let reply = answer(&Task::World { context: &context, request: "" });
            let world = world_builder::read(&reply).unwrap();
            assert_eq!((world.rules.len(), world.pages.len()), (3, 2), "{genre} {round}");
            assert!(world.pages.iter().all(|(_, text)| (150..=400).contains(&text.chars().count())));
            let (name, description) = world.storyline.unwrap();
            assert!((2..=8).contains(&name.chars().count()) && !description.is_empty());
            assert!(genre.is_empty() || description.contains("船主要他烧船"));
            for rule in world.rules {
                assert!(context.rules.iter().all(|known| known.rule != rule.rule), "{}", rule.rule);
                context.rules.push(rule);
            }
        }
    }
}

#[test]
fn a_rule_that_is_asked_for_names_its_subject_and_is_new_each_time() {
    let mut context = context("渡", "古风");
    for _ in 0..12 {
        let world = world_builder::read(&super::world(&context, "补一条关于船票的规则")).unwrap();
        let [rule] = &world.rules[..] else { panic!("{world:?}") };
        assert!(rule.rule.contains("船票") && world.storyline.is_none(), "{}", rule.rule);
        assert!(context.rules.iter().all(|known| known.rule != rule.rule), "{}", rule.rule);
        context.rules.push(Rule { strength: Strength::Hard, ..rule.clone() });
    }
}

#[test]
fn the_theme_is_the_authors_where_the_brief_has_it() {
    let context = context("渡", "古风");
    let theme = plot_architect::read_theme(&answer(&Task::Theme { context: &context })).unwrap();
    assert_eq!(theme.conflict, "沈渡要渡人过河，船主要他烧船。");
    assert!(theme.theme.ends_with('？') && !theme.logline.is_empty() && !theme.ending.is_empty());
    let bare = plot_architect::read_theme(&super::theme(&PlanningContext::default())).unwrap();
    assert!(!bare.conflict.contains("<!--") && bare.conflict.chars().count() > 20);
}

fn cast(context: &PlanningContext, request: CastRequest) -> CastReading {
    let reply = answer(&Task::Cast { context, request: &request });
    assert_eq!(reply, answer(&Task::Cast { context, request: &request }));
    character_weaver::read(&reply).unwrap()
}

#[test]
fn a_first_cast_has_a_protagonist_and_two_who_are_told_apart() {
    let names = |cast: &CastReading| cast.people.iter().map(|person| person.name.clone()).collect::<Vec<_>>();
    for (title, genre) in BOOKS {
        for protagonist in [
            "",
            "沈渡",
            "沈渡，摆渡人，不会水",
            "祁照（女，医官）：手稳",
            "一个名叫周闻笛的女记者",
            "一个摆渡人，不会水",
        ] {
            let context = PlanningContext { characters: vec![], ..context(title, genre) };
            let cast = cast(&context, CastRequest::First { protagonist: protagonist.into() });
            let names = names(&cast);
            assert_eq!(names.len(), 3);
            let given = ["沈渡", "祁照", "周闻笛"].into_iter().find(|name| protagonist.contains(name));
            // If the author names no protagonist, the name comes from the brief.
            assert!(given.unwrap_or("沈渡") == names[0] && !names[0].starts_with('一'), "{names:?}");
            let firsts: BTreeSet<char> = names.iter().filter_map(|name| name.chars().next()).collect();
            assert_eq!(firsts.len(), 3, "{names:?}");
            assert_eq!(cast.people[0].role.as_deref(), Some("protagonist"));
            for person in &cast.people {
                let length = person.profile.chars().count();
                assert!((100..=250).contains(&length), "{length}: {}", person.profile);
                assert!(person.contracts.len() == 2 && person.speech.contains('“'));
            }
            assert!(
                cast.relations.iter().all(|r| names.contains(&r.from) && names.contains(&r.to))
                    && cast.relations.len() == 3
            );
        }
    }
}

#[test]
fn somebody_new_has_the_name_that_was_wished_for_or_a_free_one() {
    let mut context = context("渡", "古风");
    let name = |context: &PlanningContext, wish: &str| {
        cast(context, CastRequest::Add { wish: wish.into() }).people[0].name.clone()
    };
    assert_eq!(name(&context, "加一个名叫柳三娘的茶铺老板娘"), "柳三娘");
    assert_eq!(name(&context, "何不归，退休的捕快，腿有旧伤"), "何不归");
    assert_eq!(name(&context, "老周"), "老周");
    for wish in ["对手", "师父", "老兵", "一个对手"] {
        assert_ne!(name(&context, wish), wish);
    }
    for _ in 0..45 {
        let name = name(&context, "一个退休的捕快，腿有旧伤");
        assert!(context.characters.iter().all(|person| person.display_name != name), "{name}");
        let id = format!("p-{}", context.characters.len());
        context.characters.push(person(&id, &name, "supporting", &[]));
    }
    let enemy = cast(&context, CastRequest::Add { wish: "一个对手".into() });
    assert_eq!((enemy.people[0].role.as_deref(), enemy.relations.len()), (Some("antagonist"), 1));
}

#[test]
fn a_change_keeps_what_is_there() {
    let context = context("渡", "古风");
    let cast = cast(&context, CastRequest::Update { id: slug("shen-du"), wish: "让他学会认字。".into() });
    let [person] = &cast.people[..] else { panic!("{cast:?}") };
    let known = &context.characters[1];
    assert!(person.profile.starts_with(&known.profile) && person.profile.contains("学会认字"));
    assert_eq!((person.name.as_str(), person.contracts.len()), ("沈渡", 2));
    assert_eq!(person.role.as_deref(), Some("protagonist"));
    assert_eq!(
        (&person.contracts[0].rule, &person.contracts[0].exceptions),
        (&known.contracts[0].rule, &known.contracts[0].exceptions)
    );
    assert_eq!(person.contracts[0].update_requires, known.contracts[0].update_requires);
    super::cast(&context, &CastRequest::Update { id: slug("nobody"), wish: String::new() });
    // A contract that is named is the only thing that changes, and no other comes.
    let contract = &known.contracts[0];
    let wish = amendments::wish(&["世界规则 W-001 变了".to_owned()], &[contract]);
    let reworded = super::cast(&context, &CastRequest::Update { id: slug("shen-du"), wish });
    let reworded = character_weaver::read(&reworded).unwrap();
    let [person] = &reworded.people[..] else { panic!("{reworded:?}") };
    assert_eq!((&person.profile, person.contracts.len()), (&known.profile, known.contracts.len()));
    assert!(person.contracts[0].rule.starts_with(&contract.rule) && person.contracts[0].rule != contract.rule);
}

#[test]
fn chapters_that_are_written_anew_still_fit_their_volume() {
    let mut context = context("渡", "古风");
    let order = order(1, 1, 20);
    let (mut plan, basis) = planned(&mut context, &order, "", &Ledger::default());
    let text: String = plan.outline.sections.iter().map(|section| format!("{}\n\n", section.source)).collect();
    plan.outline = Outline::parse(&text).unwrap();
    let chapters: Vec<ChapterNo> = [3, 4, 9, 20].into_iter().filter_map(ChapterNo::new).collect();
    let reply = super::amend(&context, &plan, &chapters, &[]);
    let sections = outline::read_amended(&reply, &chapters).unwrap();
    let amended = Outline::parse(&plan.outline.spliced(&text, &sections)).unwrap();
    let changed = amended.sections.iter().zip(&plan.outline.sections).filter(|(new, old)| new.source != old.source);
    assert_eq!(changed.map(|(new, _)| new.chapter).collect::<Vec<_>>(), chapters);
    let mut plan = Plan { outline: amended, ..plan };
    plan.contracts = plan.derived(&basis);
    assert_sound(&plan, &basis, "amended");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any volume of any book keeps to its own schedule.
    #[test]
    fn every_volume_is_sound(
        title in "[一-龥]{0,4}", chapters in 4u32..60, volume in 1u32..4, lines in 1usize..6, first in 4u32..200, keeps in any::<bool>()
    ) {
        let mut context = context(&title, "");
        context.storylines.lines.extend((1..lines).map(|n| line(&format!("side-{n}"), "支", "mystery", Status::Active)));
        let keeps = keeps && volume == 1;
        let first = if keeps { 1 } else { first };
        let kept = if keeps { trial(&context) } else { String::new() };
        let (plan, basis) = planned(&mut context, &order(volume, first, chapters), &kept, &Ledger::default());
        assert_sound(&plan, &basis, &format!("{title} {chapters} {volume} {lines} {keeps}"));
    }

    /// Any words of the author bring a readable answer.
    #[test]
    fn no_words_of_the_author_break_a_reply(words in any::<String>(), brief in any::<String>(), wish in "[一-龥；\n，“”#-]{0,60}") {
        let mut context = context(&words, &wish);
        context.brief = format!("{brief}\n## 核心冲突\n{words}\n## 主角\n{wish}");
        prop_assert!(plot_architect::read_theme(&super::theme(&context)).is_ok());
        prop_assert!(world_builder::read(&super::world(&context, &wish)).is_ok());
        for wish in [&words, &wish] {
            let first = cast(&context, CastRequest::First { protagonist: wish.clone() });
            prop_assert!(!first.people[0].name.is_empty());
            cast(&context, CastRequest::Add { wish: wish.clone() });
            cast(&context, CastRequest::Update { id: slug("a-qi"), wish: wish.clone() });
        }
        let order = VolumeOrder { wish, ..order(1, 1, 9) };
        let (plan, basis) = planned(&mut context, &order, "", &Ledger::default());
        prop_assert_eq!(plan.flaws(&basis), vec![]);
    }
}

#[test]
fn a_wish_becomes_a_line_with_a_name_of_its_own() {
    let mut context = context("渡口", "悬疑");
    let known = context.storylines.clone();
    let added =
        plot_architect::read_storyline(&super::line(&context, "《沉船》：阿七要查十年前的案子；谁都不提"), &known)
            .unwrap();
    assert_eq!((added.line.name.as_str(), added.line.kind.as_str()), ("沉船", "mystery"));
    assert_eq!(added.line.pov_characters, ["阿七"]);
    assert_eq!(added.relations[0].to, slug("main-arc"));
    context.storylines.lines.push(added.line);
    for wish in ["《沉船》再来一条", "", "。"] {
        let known = context.storylines.clone();
        let again = plot_architect::read_storyline(&super::line(&context, wish), &known).unwrap();
        context.storylines.lines.push(again.line);
    }
}
