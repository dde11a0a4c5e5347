//! Operations on the state: what each does, what is refused, and what merging and replaying give.

use super::*;
use crate::domain::volume::foreshadowing::Ledger;
use crate::domain::{ChapterNo, Slug};
use proptest::prelude::*;
use serde_json::json;

fn chapter(n: u32) -> ChapterNo {
    ChapterNo::new(n).unwrap()
}

fn line() -> Slug {
    Slug::new("main-arc").unwrap()
}

fn raw(op: &str, path: &str, value: Value) -> RawOp {
    RawOp { op: op.into(), path: path.into(), value, ..RawOp::default() }
}

fn apply_all(state: &State, ops: &[RawOp]) -> (State, Vec<DroppedOp>) {
    let (delta, dropped) = Delta::screen(chapter(state.version + 1), &line(), ops, state, &Ledger::default());
    (delta.merge(state, &Ledger::default()).unwrap().state, dropped)
}

#[test]
fn a_relationship_stays_between_its_limits() {
    let path = "characters.a-qi.relationships.shen-du";
    let (state, dropped) = apply_all(
        &State::default(),
        &[
            raw("set", path, json!(95)),
            raw("inc", path, json!(10)),
            raw("inc", path, json!(1)),
            raw("set", path, json!(-101)),
            raw("inc", "characters.a-qi.relationships.old-zhang", json!(-400)),
            raw("inc", "characters.a-qi.coins", json!(4000)),
        ],
    );
    assert_eq!(state.get(path), Some(&json!(100)));
    assert_eq!(state.get("characters.a-qi.relationships.old-zhang"), Some(&json!(-100)));
    assert_eq!(state.get("characters.a-qi.coins"), Some(&json!(4000)), "other numbers have no range");
    assert_eq!(dropped.iter().map(|drop| drop.index).collect::<Vec<_>>(), [2, 3]);
    // A book from before the limit keeps its value and can come back from beyond it.
    let mut older = State::default();
    older.tree["characters"] = json!({"a-qi": {"relationships": {"shen-du": 140}}});
    let (state, dropped) = apply_all(&older, &[raw("inc", path, json!(5)), raw("inc", path, json!(-60))]);
    assert_eq!((state.get(path), dropped.len()), (Some(&json!(80)), 1));
}

#[test]
fn the_example_of_the_formats_chapter_merges() {
    let before = apply_all(
        &State::default(),
        &[
            raw("set", "characters.lin-feng.location", json!("魔都")),
            raw("inc", "characters.lin-feng.relationships.chen-lao", json!(50)),
            raw("add", "characters.lin-feng.inventory", json!("破碎魔杖")),
        ],
    )
    .0;
    let (after, dropped) = apply_all(
        &before,
        &[
            raw("set", "characters.lin-feng.location", json!("幽暗森林")),
            raw("inc", "characters.lin-feng.relationships.chen-lao", json!(10)),
            raw("add", "characters.lin-feng.inventory", json!("密信")),
            raw("remove", "characters.lin-feng.inventory", json!("破碎魔杖")),
            raw("set", "world_state.time_marker", json!("第三年冬末")),
        ],
    );
    assert_eq!(dropped, []);
    assert_eq!(
        after.get("characters.lin-feng"),
        Some(&json!({"location": "幽暗森林", "relationships": {"chen-lao": 60}, "inventory": ["密信"]}))
    );
    assert_eq!((after.version, after.last_updated_chapter), (2, 2));
}

#[test]
fn each_rule_drops_one_operation_and_says_why() {
    let (base, _) = apply_all(&State::default(), &[raw("set", "characters.lin-feng.location", json!("魔都"))]);
    let bad = [
        ("move", "characters.lin-feng.location", json!("x"), "unknown operation"),
        ("set", "characters", json!("x"), "1 segments"),
        ("set", "a.b.c.d.e", json!("x"), "5 segments"),
        ("set", "weather.today", json!("x"), "category"),
        ("set", "characters.林枫.location", json!("x"), "not an id"),
        ("set", "characters.lin-feng.mood", Value::Null, "no value"),
        ("inc", "characters.lin-feng.location", json!(1), "a text instead"),
        ("inc", "characters.lin-feng.age", json!("很多"), "wants a number"),
        ("add", "characters.lin-feng.location", json!("x"), "a text instead"),
        ("remove", "characters.lin-feng.inventory", json!("剑"), "not there"),
        ("set", "characters.lin-feng.location.room", json!("x"), "a map above it"),
        ("add", "active_foreshadowing.x", json!("x"), "foreshadow"),
        ("set", "world_state.note", json!("长".repeat(201)), "longer than 200"),
        ("set", "characters.lin-feng", json!({"a": {"b": {"c": 1}}}), "fourth level"),
        ("foreshadow", "ancient_prophecy", json!("advanced"), "not planted"),
        ("foreshadow", "ancient_prophecy", json!("hinted"), "planted"),
    ];
    for (op, path, value, reason) in bad {
        let good = raw("set", "world_state.time_marker", json!("次日"));
        let (after, dropped) = apply_all(&base, &[raw(op, path, value), good]);
        assert_eq!(dropped.len(), 1, "{op} {path}");
        assert!(dropped[0].reason.to_string().contains(reason), "{op} {path}: {}", dropped[0].reason);
        assert_eq!(after.get("characters"), base.get("characters"), "{op} {path}");
        assert_eq!(after.get("world_state.time_marker"), Some(&json!("次日")), "{op} {path}");
    }
}

#[test]
fn a_delta_for_another_version_is_not_merged() {
    let delta = Delta::skipping(chapter(1), &line(), &State::default(), "unreadable");
    let ahead = State { version: 3, ..State::default() };
    assert!(delta.merge(&ahead, &Ledger::default()).is_err());
}

#[test]
fn the_active_list_follows_the_ledger() {
    let plant = raw("foreshadow", "old_map", json!("planted"));
    let resolve = raw("foreshadow", "old_map", json!("resolved"));
    let (delta, dropped) =
        Delta::screen(chapter(1), &line(), std::slice::from_ref(&plant), &State::default(), &Ledger::default());
    assert_eq!(dropped, []);
    let one = delta.merge(&State::default(), &Ledger::default()).unwrap();
    assert_eq!(one.state.get("active_foreshadowing"), Some(&json!(["old_map"])));
    let (delta, dropped) = Delta::screen(chapter(2), &line(), &[plant, resolve], &one.state, &one.ledger);
    assert_eq!(dropped.len(), 1, "planting twice is refused");
    let two = delta.merge(&one.state, &one.ledger).unwrap();
    assert_eq!(two.state.get("active_foreshadowing"), Some(&json!([])));
}

fn any_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i32>().prop_map(|n| json!(n)),
        "[a-c一-三]{0,4}".prop_map(|s| json!(s)),
        Just(json!([])),
        Just(json!(["a"])),
        Just(json!({"name": "x"})),
        Just(Value::Null),
    ]
}

fn any_op() -> impl Strategy<Value = RawOp> {
    let name = prop::sample::select(vec!["set", "inc", "add", "remove", "foreshadow", "nonsense"]);
    let path = prop::sample::select(vec![
        "characters.a.x",
        "characters.a.y",
        "characters.a",
        "characters.b.x.k",
        "items.i.x",
        "world_state.t",
        "f1",
        "f2",
        "characters",
        "bad.path",
    ]);
    let action = prop::sample::select(vec!["planted", "advanced", "resolved"]);
    (name, path, any_value(), action).prop_map(|(op, path, value, action)| {
        let value = if op == "foreshadow" { json!(action) } else { value };
        raw(op, path, value)
    })
}

proptest! {
    #[test]
    fn a_refused_operation_changes_nothing(ops in prop::collection::vec(any_op(), 0..12)) {
        let (mut state, mut ledger) = (State::default(), Ledger::default());
        for op in ops.iter().filter_map(|op| op.check().ok()) {
            let before = (state.clone(), ledger.clone());
            if apply_op(&mut state, &mut ledger, &op, chapter(1), &line()).is_err() {
                prop_assert_eq!((&state, &ledger), (&before.0, &before.1));
            }
        }
    }

    #[test]
    fn what_was_screened_merges_without_loss(ops in prop::collection::vec(any_op(), 0..12)) {
        let (delta, _) = Delta::screen(chapter(1), &line(), &ops, &State::default(), &Ledger::default());
        prop_assert_eq!(delta.merge(&State::default(), &Ledger::default()).unwrap().dropped, vec![]);
    }

    #[test]
    fn operations_on_disjoint_paths_commute(a in any_op(), b in any_op()) {
        let (Ok(a), Ok(b)) = (a.check(), b.check()) else { return Ok(()) };
        let disjoint = match (&a, &b) {
            (Op::Foreshadow(x), Op::Foreshadow(y)) => x.id != y.id,
            (Op::Foreshadow(_), _) | (_, Op::Foreshadow(_)) => true,
            _ => {
                let (x, y): (StatePath, StatePath) = (a.path_text().parse().unwrap(), b.path_text().parse().unwrap());
                {
                    let (x, y) = (format!("{x}."), format!("{y}."));
                    !x.starts_with(&y) && !y.starts_with(&x)
                }
            }
        };
        prop_assume!(disjoint);
        let run = |first: &Op, second: &Op| {
            let (mut state, mut ledger) = (State::default(), Ledger::default());
            let one = apply_op(&mut state, &mut ledger, first, chapter(1), &line());
            let two = apply_op(&mut state, &mut ledger, second, chapter(1), &line());
            let mut active = state.tree.remove("active_foreshadowing");
            if let Some(Value::Array(ids)) = &mut active {
                ids.sort_by_key(Value::to_string);
            }
            (state, ledger, active, one.is_ok(), two.is_ok())
        };
        let (s1, l1, x1, a1, b1) = run(&a, &b);
        let (s2, l2, x2, b2, a2) = run(&b, &a);
        prop_assert_eq!((s1, l1.sorted(), x1, a1, b1), (s2, l2.sorted(), x2, a2, b2));
    }

    #[test]
    fn replaying_the_deltas_gives_the_state(chapters in prop::collection::vec(prop::collection::vec(any_op(), 0..6), 1..6)) {
        let (mut state, mut ledger) = (State::default(), Ledger::default());
        let mut deltas = Vec::new();
        for (n, ops) in chapters.iter().enumerate() {
            let (delta, _) = Delta::screen(chapter(n as u32 + 1), &line(), ops, &state, &ledger);
            let merged = delta.merge(&state, &ledger).unwrap();
            (state, ledger) = (merged.state, merged.ledger);
            deltas.push(delta);
        }
        let replayed = deltas.iter().fold((State::default(), Ledger::default()), |(s, l), delta| {
            let merged = delta.merge(&s, &l).unwrap();
            (merged.state, merged.ledger)
        });
        prop_assert_eq!(replayed, (state, ledger));
    }
}

#[test]
fn a_list_holds_plain_values_and_no_more_than_a_reader_can_use() {
    let check = |value: Value| raw("set", "characters.a-qi.things", value).check().is_ok();
    assert!(check(json!(["灯", 1, true])));
    assert!(check(Value::from(vec![1; MAX_LIST])) && !check(Value::from(vec![1; MAX_LIST + 1])));
    assert!(check(json!("字".repeat(MAX_TEXT))) && !check(json!("字".repeat(MAX_TEXT + 1))));
    assert!(!check(json!(["字".repeat(MAX_TEXT + 1)])));
    for nested in [json!([["灯"]]), json!([{"lamp": 1}]), json!(["灯", null])] {
        assert!(!check(nested.clone()), "{nested}");
    }
}

#[test]
fn an_edge_of_a_relationship_s_range_is_inside_it() {
    let path = "characters.a-qi.relationships.shen-du";
    for edge in [-100, 100] {
        let (state, dropped) = apply_all(&State::default(), &[raw("set", path, json!(edge))]);
        assert_eq!((state.get(path), dropped.len()), (Some(&json!(edge)), 0));
    }
    // Other values of a person have no range.
    let (state, _) = apply_all(&State::default(), &[raw("set", "characters.a-qi.coins", json!(4000))]);
    assert_eq!(state.get("characters.a-qi.coins"), Some(&json!(4000)));
    // From below the range of today a change leads up only, and a small one is taken as it is.
    let mut older = State::default();
    older.tree["characters"] = json!({"a-qi": {"relationships": {"shen-du": -140.5}}});
    let (state, dropped) = apply_all(&older, &[raw("inc", path, json!(-5)), raw("inc", path, json!(60))]);
    assert_eq!((state.get(path), dropped.len()), (Some(&json!(-80.5)), 1));
    let (state, dropped) = apply_all(&older, &[raw("inc", path, json!(0.5))]);
    assert_eq!((state.get(path), dropped.len()), (Some(&json!(-100.0)), 0));
}

#[test]
fn a_planting_takes_reach_and_window_from_the_plan_and_no_other_step_does() {
    use crate::domain::volume::foreshadowing::{Action, ForeshadowOp, Scope, ThreadPlan};
    let slug = |id: &str| Slug::new(id).unwrap();
    let step = |id: &str, action| {
        Op::Foreshadow(ForeshadowOp { id: slug(id), action, detail: String::new(), scope: None, target: None })
    };
    let planned = ThreadPlan {
        id: slug("lamp"),
        description: String::new(),
        scope: Scope::Long,
        storyline: line(),
        plant: Some(chapter(1)),
        advance: Vec::new(),
        target: Some((30, 40)),
    };
    let (delta, _) = Delta::screen(chapter(1), &line(), &[], &State::default(), &Ledger::default());
    let ops = vec![step("lamp", Action::Planted), step("lamp", Action::Advanced), step("door", Action::Planted)];
    let ops = Delta { ops, ..delta }.as_planned(&[planned]).ops;
    let found = ops.iter().map(|op| match op {
        Op::Foreshadow(op) => (op.scope, op.target),
        other => panic!("{other:?}"),
    });
    let wanted = [(Some(Scope::Long), Some((30, 40))), (None, None), (None, None)];
    assert_eq!(found.collect::<Vec<_>>(), wanted);
}
