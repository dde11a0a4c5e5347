use crate::domain::volume::inventory::irregular::AgendaReason;
use crate::domain::volume::inventory::*;
use Action::{Advanced, Planted, Resolved};
use proptest::prelude::*;

fn at(n: u32) -> ChapterNo {
    ChapterNo::new(n).unwrap()
}

fn slug(id: &str) -> Slug {
    Slug::new(id).unwrap()
}

fn entry(id: &str, scope: Scope, target: Option<(u32, u32)>, history: &[(u32, Action)]) -> Foreshadowing {
    let step =
        |(chapter, action): &(u32, Action)| ThreadStep { chapter: at(*chapter), action: *action, detail: "镜".into() };
    Foreshadowing {
        id: slug(id),
        description: format!("{id} 的来历"),
        scope,
        target,
        storyline: slug("main-arc"),
        history: history.iter().map(step).collect(),
    }
}

/// A volume with one section a chapter; `tasks` are the foreshadowing fields by chapter.
fn volume(number: u32, chapters: (u32, u32), tasks: &[(u32, &str)]) -> VolumePlan {
    let section = |chapter: u32| {
        let task = tasks.iter().find(|(at, _)| *at == chapter).map_or("无", |(_, task)| *task);
        format!(
            "## 第{chapter}章 甲\n- 故事线: main-arc\n- 视角: 甲\n- 地点: 乙\n- 冲突: 丙\n- 人物弧光: 丁\n- 伏笔: {task}\n- 状态变化: 戊\n"
        )
    };
    let text: String = (chapters.0..=chapters.1).map(section).collect();
    VolumePlan::of(VolumeNo::new(number).unwrap(), &Outline::parse(&text).unwrap(), &[], [])
}

fn planned(id: &str, plant: Option<u32>, target: Option<(u32, u32)>) -> ThreadPlan {
    ThreadPlan {
        id: slug(id),
        description: format!("{id} 的来历"),
        scope: Scope::Short,
        storyline: slug("main-arc"),
        plant: plant.map(at),
        advance: Vec::new(),
        target,
    }
}

fn inventory(entries: Vec<Foreshadowing>, volumes: &[VolumePlan], last_completed: u32) -> Inventory {
    let present = volumes.last().map_or(VolumeNo::FIRST, |plan| plan.volume);
    Inventory::of(&InventoryBasis { ledger: &Ledger { entries }, volumes, present, last_completed })
}

#[test]
fn each_foreshadowing_has_the_most_urgent_standing_that_applies() {
    let two = [volume(1, (1, 10), &[]), volume(2, (11, 30), &[(25, "推进 kept：…"), (22, "埋设 coming：…")])];
    let entries = vec![
        entry("paid", Scope::Short, Some((4, 9)), &[(1, Planted), (6, Resolved)]),
        entry("fresh", Scope::Short, Some((22, 28)), &[(19, Planted)]),
        entry("moving", Scope::Short, Some((23, 28)), &[(15, Planted), (18, Advanced)]),
        entry("due", Scope::Short, Some((21, 25)), &[(15, Planted)]),
        entry("late", Scope::Short, Some((14, 18)), &[(12, Planted)]),
        entry("late-core", Scope::Medium, Some((14, 18)), &[(12, Planted)]),
        entry("forgotten", Scope::Long, None, &[(3, Planted), (9, Advanced)]),
        entry("kept", Scope::Long, None, &[(3, Planted)]),
        entry("past-date", Scope::Long, Some((5, 9)), &[(12, Planted)]),
    ];
    let inventory = inventory(entries, &two, 20);
    let told: Vec<(&str, Standing)> =
        inventory.threads.iter().map(|thread| (thread.id.as_str(), thread.standing)).collect();
    let wanted = [
        ("late", Standing::Overdue),
        ("late-core", Standing::Due),
        ("due", Standing::Due),
        ("forgotten", Standing::Neglected),
        ("moving", Standing::Advanced),
        ("past-date", Standing::Planted),
        ("kept", Standing::Planted),
        ("fresh", Standing::Planted),
        ("coming", Standing::Planned),
        ("paid", Standing::Resolved),
    ];
    assert_eq!(told, wanted);
    let forgotten = inventory.get(&slug("forgotten")).unwrap();
    assert_eq!(forgotten.neglect, Some(Neglect::Volume(VolumeNo::new(2).unwrap())));
}

#[test]
fn silence_is_counted_from_the_last_mention() {
    let one = [volume(1, (1, 60), &[])];
    let long = |last| {
        let inventory = inventory(vec![entry("long", Scope::Long, None, &[(2, Planted), (10, Advanced)])], &one, last);
        inventory.threads[0].neglect
    };
    assert_eq!((long(39), long(40)), (None, Some(Neglect::Chapters(30))));
    // A volume that has no outline yet neglects nothing.
    let unplanned = inventory(vec![entry("long", Scope::Long, None, &[(2, Planted)])], &[], 12);
    assert_eq!(unplanned.threads[0].standing, Standing::Planted);
}

#[test]
fn what_does_not_fit_together_is_found_with_its_chapter() {
    let mut plan =
        volume(1, (1, 20), &[(2, "埋设 lost：信"), (3, "埋设 told：灯"), (14, "回收 early：…"), (16, "埋设 early：…")]);
    plan.planned = vec![planned("told", Some(3), Some((6, 9)))];
    let mut twin = entry("twin", Scope::Short, None, &[(8, Planted)]);
    twin.description = "told的来历。".into();
    let entries = vec![
        entry("told", Scope::Short, None, &[(3, Planted), (11, Resolved)]),
        entry("stray", Scope::Short, Some((20, 25)), &[(7, Planted)]),
        entry("backwards", Scope::Long, None, &[(9, Planted), (4, Resolved)]),
        twin,
    ];
    let found = inventory(entries, &[plan], 12).irregularities;
    let wanted = [
        Irregularity::BeforePlanting {
            id: slug("backwards"),
            chapter: at(4),
            action: Resolved,
            planted: Some(at(9)),
            ahead: false,
        },
        Irregularity::BeforePlanting {
            id: slug("early"),
            chapter: at(14),
            action: Resolved,
            planted: Some(at(16)),
            ahead: true,
        },
        Irregularity::NotPlanted { id: slug("lost"), chapter: at(2) },
        Irregularity::OutsideWindow { id: slug("told"), chapter: at(11), window: (6, 9), ahead: false },
        Irregularity::NeverPlanned { id: slug("stray"), chapter: at(7) },
        Irregularity::NeverPlanned { id: slug("twin"), chapter: at(8) },
        Irregularity::SameDescription { id: slug("told"), other: slug("twin"), chapter: Some(at(8)) },
    ];
    assert_eq!(found, wanted);
}

#[test]
fn the_agenda_proposes_what_no_plan_takes_care_of() {
    let two = [
        volume(1, (1, 10), &[(9, "埋设 lost：信")]),
        volume(2, (11, 30), &[(21, "推进 fresh：…"), (22, "回收 late：…"), (24, "回收 settled：…")]),
    ];
    let entries = vec![
        entry("fresh", Scope::Short, Some((25, 28)), &[(19, Planted)]),
        entry("late", Scope::Short, Some((14, 18)), &[(12, Planted)]),
        entry("later", Scope::Short, Some((14, 19)), &[(12, Planted)]),
        entry("last", Scope::Medium, Some((15, 21)), &[(12, Planted)]),
        entry("open", Scope::Short, Some((21, 25)), &[(15, Planted)]),
        entry("settled", Scope::Short, Some((21, 25)), &[(15, Planted)]),
        entry("forgotten", Scope::Long, None, &[(3, Planted)]),
    ];
    let inventory = inventory(entries, &two, 20);
    let told = |chapters: u32| -> Vec<(u32, String, Action, &'static str, bool)> {
        let line = |item: irregular::AgendaItem| {
            (item.chapter.get(), item.id.to_string(), item.action, item.reason.name(), item.planned)
        };
        inventory.agenda(chapters).into_iter().map(line).collect()
    };
    let line = |chapter, id: &str, action, reason, planned| (chapter, id.to_owned(), action, reason, planned);
    let wanted = [
        line(21, "later", Resolved, "late", false),
        line(21, "last", Resolved, "last-chance", false),
        line(21, "lost", Planted, "planting-missed", false),
        line(21, "open", Advanced, "window-open", false),
        line(21, "forgotten", Advanced, "neglected", false),
        line(21, "fresh", Advanced, "planned", true),
        line(22, "late", Resolved, "late", true),
    ];
    assert_eq!(told(3), wanted);
    // One that is resolved too late is proposed for the next chapter as long as that does not come soon.
    assert!(told(1).contains(&line(21, "late", Resolved, "late", false)));
    assert!(inventory.agenda(0).iter().all(|item| item.chapter == at(21) && !item.planned));
    assert_eq!(inventory.agenda(1)[0].reason, AgendaReason::Late(18));
}

/// The chapter of the planting, then how much later each step is and whether it resolves.
type Life = (u32, Vec<(u32, bool)>);

/// A ledger of entries `a` to `d`, as any order of operations makes it.
fn ledgers() -> impl Strategy<Value = Ledger> {
    let scope = prop::sample::select(Scope::ALL.to_vec());
    let target = prop::option::of((1u32..40, 0u32..12).prop_map(|(from, span)| (from, from + span)));
    let history = (1u32..30, prop::collection::vec((1u32..6, any::<bool>()), 0..4));
    let entries = prop::collection::btree_map("[a-d]", (scope, target, history), 0..4);
    entries.prop_map(|entries| {
        let entry = |(id, (scope, target, (planted, steps))): (String, (_, _, Life))| {
            let mut history = vec![(planted, Planted)];
            for (after, resolves) in steps {
                if history.last().is_some_and(|(_, action)| *action == Resolved) {
                    break;
                }
                history.push((history[history.len() - 1].0 + after, if resolves { Resolved } else { Advanced }));
            }
            entry(&id, scope, target, &history)
        };
        Ledger { entries: entries.into_iter().map(entry).collect() }
    })
}

proptest! {
    #[test]
    fn an_inventory_holds_each_foreshadowing_once_and_asks_nothing_of_those_that_are_resolved(
        ledger in ledgers(),
        tasks in prop::collection::btree_map(1u32..40, ("[a-f]", prop::sample::select(Action::ALL.to_vec())), 0..8),
        last_completed in 0u32..45,
    ) {
        let words: Vec<(u32, String)> = tasks.iter().map(|(at, (id, action))| (*at, format!("{} {id}：…", action.verb()))).collect();
        let words: Vec<(u32, &str)> = words.iter().map(|(at, words)| (*at, words.as_str())).collect();
        let plan = volume(1, (1, 40), &words);
        let inventory = Inventory::of(&InventoryBasis { ledger: &ledger, volumes: &[plan], present: VolumeNo::FIRST, last_completed });
        let ids: BTreeSet<&Slug> = inventory.threads.iter().map(|thread| &thread.id).collect();
        prop_assert_eq!(ids.len(), inventory.threads.len());
        prop_assert!(ledger.entries.iter().all(|entry| ids.contains(&entry.id)));
        prop_assert!(inventory.threads.is_sorted_by_key(|thread| thread.standing));
        for thread in &inventory.threads {
            let entry = ledger.get(&thread.id);
            prop_assert_eq!(thread.is_open(), entry.is_some_and(|entry| entry.status() != Resolved));
            prop_assert_eq!(thread.standing == Standing::Planned, entry.is_none());
            // The standing says overdue exactly where the ledger does.
            prop_assert_eq!(thread.standing == Standing::Overdue, entry.is_some_and(|entry| entry.overdue(last_completed)));
            prop_assert!(thread.ahead.iter().all(|step| step.chapter.get() > last_completed));
        }
        let agenda = inventory.agenda(3);
        prop_assert!(agenda.is_sorted_by_key(|item| (item.chapter, item.reason.clone())));
        for item in &agenda {
            prop_assert!((last_completed + 1..=last_completed + 3).contains(&item.chapter.get()));
            let thread = inventory.get(&item.id).unwrap();
            prop_assert!(item.planned || thread.standing != Standing::Resolved);
            prop_assert!(item.planned || item.chapter.get() == last_completed + 1);
        }
    }
}

#[test]
fn a_resolution_outside_its_window_is_told_while_something_can_be_done_about_it() {
    let one = volume(1, (1, 10), &[]);
    let two = volume(2, (11, 40), &[(14, "回收 late：…"), (22, "回收 inside：…"), (28, "回收 coming：…")]);
    let entries = vec![
        entry("coming", Scope::Short, Some((20, 25)), &[(12, Planted)]),
        entry("inside", Scope::Short, Some((20, 25)), &[(12, Planted)]),
        entry("late", Scope::Short, Some((6, 9)), &[(5, Planted)]),
        entry("past-volume", Scope::Short, Some((3, 5)), &[(1, Planted), (8, Resolved)]),
        entry("first-chapter", Scope::Short, Some((6, 9)), &[(1, Planted), (11, Resolved)]),
        entry("long", Scope::Long, Some((3, 5)), &[(2, Planted), (12, Resolved)]),
    ];
    let found = inventory(entries, &[one, two], 12).irregularities;
    let outside: Vec<(&str, u32)> = found
        .iter()
        .filter(|found| matches!(found, Irregularity::OutsideWindow { .. }))
        .map(|found| (found.id().as_str(), found.chapter().unwrap().get()))
        .collect();
    assert_eq!(outside, [("coming", 28), ("first-chapter", 11)]);
}

#[test]
fn a_step_of_the_plan_comes_too_early_only_before_its_planting() {
    let tasks =
        [(12, "推进 written：…"), (13, "推进 known：…"), (14, "埋设 same：灯；推进 same：…"), (15, "推进 nowhere：…")];
    let plan = volume(1, (1, 20), &tasks);
    let entries = vec![entry("known", Scope::Long, None, &[(3, Planted)])];
    let found = inventory(entries, &[plan], 12).irregularities;
    let early = Irregularity::BeforePlanting {
        id: slug("nowhere"),
        chapter: at(15),
        action: Advanced,
        planted: None,
        ahead: true,
    };
    assert_eq!(found, [early]);
}

#[test]
fn a_thread_is_planned_by_a_plan_or_by_a_section_of_a_known_outline() {
    let mut plan = volume(1, (1, 20), &[(15, "推进 by-section：…")]);
    plan.planned = vec![planned("by-plan", Some(3), None)];
    let entries = vec![
        entry("by-section", Scope::Long, None, &[(2, Planted)]),
        entry("by-plan", Scope::Long, None, &[(3, Planted)]),
        entry("elsewhere", Scope::Long, None, &[(30, Planted)]),
        entry("over", Scope::Long, None, &[(4, Planted), (5, Resolved)]),
        entry("nowhere", Scope::Long, None, &[(20, Planted)]),
    ];
    let found = inventory(entries, &[plan], 12).irregularities;
    assert_eq!(found, [Irregularity::NeverPlanned { id: slug("nowhere"), chapter: at(20) }]);
}

#[test]
fn one_description_twice_matters_until_both_are_resolved() {
    let pair = |one: &[(u32, Action)], other: &[(u32, Action)]| {
        let twin =
            |id: &str, history| Foreshadowing { description: "冷灯".into(), ..entry(id, Scope::Long, None, history) };
        inventory(vec![twin("one", one), twin("other", other)], &[], 12).irregularities.len()
    };
    let (open, over) = ([(2, Planted)], [(3, Planted), (4, Resolved)]);
    assert_eq!([pair(&open, &open), pair(&open, &over), pair(&over, &open), pair(&over, &over)], [1, 1, 1, 0]);
}

#[test]
fn a_step_that_the_outline_tells_is_not_told_again_by_the_plan() {
    let steps = |task: &str, plan: &ThreadPlan| -> Vec<(u32, String, Action)> {
        let text: String = (1..=3)
            .map(|n| {
                let task = if n == 2 { task } else { "无" };
                format!(
                    "## 第{n}章 甲\n- 故事线: main-arc\n- 视角: 甲\n- 地点: 乙\n- 冲突: 丙\n- 人物弧光: 丁\n- 伏笔: {task}\n- 状态变化: 戊\n"
                )
            })
            .collect();
        let outline = Outline::parse(&text).unwrap();
        let plan = VolumePlan::of(VolumeNo::FIRST, &outline, std::slice::from_ref(plan), []);
        plan.steps.into_iter().map(|step| (step.chapter.get(), step.id.to_string(), step.action)).collect()
    };
    let lamp = |chapter, action| (chapter, "lamp".to_owned(), action);
    let plants = planned("lamp", Some(2), None);
    let goes_on = ThreadPlan { advance: vec![2], ..planned("lamp", None, None) };
    assert_eq!(steps("埋设 lamp：灯", &plants), [lamp(2, Planted)]);
    assert_eq!(steps("回收 lamp：灯", &goes_on), [lamp(2, Resolved)], "what is paid off is taken up as well");
    assert_eq!(steps("回收 lamp：灯", &plants), [lamp(2, Resolved), lamp(2, Planted)]);
    assert_eq!(steps("无", &plants), [lamp(2, Planted)]);
    let other = steps("埋设 door：门", &plants);
    assert_eq!(other, [(2, "door".to_owned(), Planted), lamp(2, Planted)]);
    let later = steps("埋设 lamp：灯", &ThreadPlan { advance: vec![3], ..plants });
    assert_eq!(later, [lamp(2, Planted), lamp(3, Advanced)]);
}

#[test]
fn a_window_is_open_through_its_last_chapter() {
    let one = [volume(1, (1, 40), &[])];
    let standing = |last| {
        let entries = vec![entry("lamp", Scope::Short, Some((6, 9)), &[(2, Planted)])];
        inventory(entries, &one, last).threads[0].standing
    };
    assert_eq!([4, 5, 9, 10].map(standing), [Standing::Planted, Standing::Due, Standing::Due, Standing::Overdue]);
}

#[test]
fn a_thread_that_is_only_planned_has_the_reach_and_window_of_its_plan() {
    let mut plan = volume(1, (1, 20), &[]);
    plan.planned = vec![ThreadPlan { scope: Scope::Long, ..planned("lamp", Some(5), Some((8, 12))) }];
    let inventory = inventory(vec![], &[plan], 2);
    let lamp = inventory.get(&slug("lamp")).unwrap();
    assert_eq!((lamp.scope, lamp.window, lamp.standing), (Scope::Long, Some((8, 12)), Standing::Planned));
}

#[test]
fn every_irregularity_has_a_name_of_its_own() {
    let (id, other, chapter) = (slug("a"), slug("b"), at(3));
    let all = [
        Irregularity::BeforePlanting { id: id.clone(), chapter, action: Resolved, planted: None, ahead: false },
        Irregularity::NotPlanted { id: id.clone(), chapter },
        Irregularity::OutsideWindow { id: id.clone(), chapter, window: (1, 2), ahead: false },
        Irregularity::NeverPlanned { id: id.clone(), chapter },
        Irregularity::SameDescription { id, other, chapter: None },
    ];
    let names = ["before-planting", "not-planted", "outside-window", "never-planned", "same-description"];
    assert_eq!(all.each_ref().map(Irregularity::name), names);
}
