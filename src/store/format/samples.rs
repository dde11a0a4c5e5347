//! Arbitrary values of every format, and their properties.

use crate::agents::context::chapter::Memory;
use crate::domain::book::checkpoint::{ChapterLog, Checkpoint, Phase, StageLog, Totals};
use crate::domain::chapter::evaluation::{Check, Confidence, Dimension, Evaluation, Finding, Fix, Score};
use crate::domain::chapter::stage::PipelineStage;
use crate::domain::chapter::summary::{
    ChapterKind, ChapterMemory, ChapterNotes, CrossReference, Hook, LeakRisk, PersonStatus, ReaderNote,
};
use crate::domain::chapter::{Gate, Scene, ScenePlan};
use crate::domain::state::cleanup::{CleanupReason, Leftover, StateEntry};
use crate::domain::state::{Category, Delta, RawOp, State};
use crate::domain::volume::foreshadowing::{Action, Foreshadowing, Ledger, Scope, ThreadPlan, ThreadStep};
use crate::domain::volume::{Judgement, Recommendation};
use crate::domain::world::character::{Character, Relationship};
use crate::domain::world::contract::{
    ChapterContract, CharacterContract, Layer, LineContext, Objective, Rule, Strength, Transition,
};
use crate::domain::world::storyline::{
    Bridges, Convergence, Interleaving, Reach, Relation, Schedule, ScheduledLine, Status, Storyline, Storylines,
    VolumeRole,
};
use crate::domain::{ChapterNo, Slug, VolumeNo};
use crate::store::format::FormatError;
use crate::store::format::evaluation::RecordedEvaluation;
use crate::store::format::summary::SummaryPage;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Reading returns what was written; rewriting changes no byte; and an author's additions to any map of the file
/// survive a rewrite. `open` names the maps whose keys are data, where nothing is unknown.
pub(super) fn survives<T: PartialEq + std::fmt::Debug>(
    value: &T,
    read: impl Fn(&[u8]) -> Result<T, FormatError>,
    write: impl Fn(&T, Option<&[u8]>) -> Vec<u8>,
    open: &[&str],
) -> Result<(), TestCaseError> {
    let bytes = write(value, None);
    let back = read(&bytes).map_err(|e| TestCaseError::fail(format!("{e}\n{}", String::from_utf8_lossy(&bytes))))?;
    prop_assert_eq!(&back, value);
    prop_assert_eq!(write(&back, None), bytes.clone());
    prop_assert_eq!(write(&back, Some(&bytes)), bytes.clone());
    prop_assert!(bytes.ends_with(b"\n") && !bytes.contains(&b'\r'));

    let mut document: Value = serde_json::from_slice(&bytes).unwrap();
    let version = document["schema_version"].as_u64().unwrap();
    annotate(&mut document, open);
    let annotated = format!("{document:#}\n").into_bytes();
    let back = read(&annotated).map_err(|e| TestCaseError::fail(e.to_string()))?;
    prop_assert_eq!(&back, value);
    prop_assert_eq!(write(&back, Some(&annotated)), annotated.clone());
    let windows = format!("\u{feff}{}", String::from_utf8_lossy(&annotated).replace('\n', "\r\n"));
    prop_assert_eq!(&read(windows.as_bytes()).unwrap(), value);

    document["schema_version"] = json!(version + 1);
    prop_assert!(read(document.to_string().as_bytes()).is_err());
    Ok(())
}

fn annotate(value: &mut Value, open: &[&str]) {
    match value {
        Value::Object(map) => {
            map.iter_mut().filter(|(key, _)| !open.contains(&key.as_str())).for_each(|(_, v)| annotate(v, open));
            map.insert("作者批注".into(), json!({"看": [1, 2.50, null]}));
        }
        Value::Array(list) => list.iter_mut().for_each(|entry| annotate(entry, open)),
        _ => {}
    }
}

pub(super) fn words() -> impl Strategy<Value = String> {
    "[雨渡口船票a-z0-9\"'，。：；\\\\ \n]{0,12}"
}

/// One non-empty, trimmed line.
pub(super) fn line() -> impl Strategy<Value = String> {
    "[雨渡口船票a-z，。：「」]{1,12}"
}

pub(super) fn slug() -> impl Strategy<Value = Slug> {
    "[a-z0-9][a-z0-9_-]{0,8}".prop_map(|text| Slug::new(&text).unwrap())
}

pub(super) fn chapter_number() -> impl Strategy<Value = ChapterNo> {
    (1u32..=999_999).prop_map(|n| ChapterNo::new(n).unwrap())
}

fn volume() -> impl Strategy<Value = VolumeNo> {
    (1u32..=999).prop_map(|n| VolumeNo::new(n).unwrap())
}

pub(super) fn one<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    select(all)
}

pub(super) fn figure() -> impl Strategy<Value = f64> {
    prop_oneof![(0u32..100).prop_map(f64::from), 0.0f64..1e6]
}

fn plain_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9f64..1e9).prop_map(Value::from),
        words().prop_map(Value::from),
    ]
}

fn map_of(entry: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    vec((slug(), entry), 0..4).prop_map(|entries| {
        entries.into_iter().map(|(key, value)| (key.to_string(), value)).collect::<Map<_, _>>().into()
    })
}

pub(super) fn state() -> impl Strategy<Value = State> {
    let value = || prop_oneof![plain_value(), vec(plain_value(), 0..3).prop_map(Value::from), map_of(plain_value())];
    let category = select(&Category::ALL[..5]);
    let tree = vec((category, map_of(map_of(value()))), 0..5);
    (any::<u32>(), any::<u32>(), tree, vec(slug(), 0..3)).prop_map(|(version, last_updated_chapter, tree, open)| {
        let mut tree: Map<_, _> = tree.into_iter().map(|(key, value)| (key.as_str().to_owned(), value)).collect();
        tree.insert("active_foreshadowing".into(), open.iter().map(Slug::to_string).collect::<Vec<_>>().into());
        tree.insert("批注".into(), json!({"乙": 1, "甲": [2]}));
        State { version, last_updated_chapter, tree }
    })
}

pub(super) fn delta() -> impl Strategy<Value = Delta> {
    let path = || {
        (select(&Category::ALL[..5]), vec(slug(), 1..=3)).prop_map(|(category, keys)| {
            keys.iter().fold(category.as_str().to_owned(), |path, key| format!("{path}.{key}"))
        })
    };
    let raw = prop_oneof![
        (select(vec!["set", "add", "remove"]), path(), plain_value()).prop_map(|(op, path, value)| RawOp {
            op: op.into(),
            path,
            value,
            ..RawOp::default()
        }),
        (path(), -1e6f64..1e6).prop_map(|(path, by)| RawOp {
            op: "inc".into(),
            path,
            value: by.into(),
            ..RawOp::default()
        }),
        (slug(), one(Action::ALL), option::of(line()), option::of(one(Scope::ALL))).prop_map(
            |(id, action, detail, scope)| {
                let scope = scope.map(|scope| scope.as_str().to_owned());
                let value = action.as_str().into();
                RawOp { op: "foreshadow".into(), path: id.to_string(), value, detail, scope, target: None }
            }
        ),
    ];
    let ops = vec(raw.prop_map(|raw| raw.check().unwrap()), 0..6);
    let text = option::of("[0-9a-f]{40}".prop_map(|text| text.parse().unwrap()));
    let of = |(n, v, l, ops, why, text)| Delta { chapter: n, base_version: v, storyline: l, ops, skipped: why, text };
    (chapter_number(), any::<u32>(), slug(), ops, option::of(words()), text).prop_map(of)
}

pub(super) fn checkpoint() -> impl Strategy<Value = Checkpoint> {
    let place =
        (any::<u32>(), volume(), one(Phase::ALL), option::of(one(PipelineStage::ALL)), option::of(chapter_number()));
    let totals = (any::<u32>(), any::<u64>(), any::<u64>(), any::<u32>(), any::<u64>());
    (place, any::<u32>(), vec(words(), 0..3), words(), totals).prop_map(|(place, revisions, pending, time, totals)| {
        let (chapters, words, cost_micro_usd, force_passed, input_tokens) = totals;
        let totals = Totals { chapters, words, cost_micro_usd, force_passed, input_tokens, ..Totals::default() };
        Checkpoint {
            last_completed: place.0,
            volume: place.1,
            phase: place.2,
            stage: place.3,
            inflight: place.4,
            revisions,
            pending,
            time,
            totals,
        }
    })
}

pub(super) fn ledger() -> impl Strategy<Value = Ledger> {
    let later = (1u32..20, one(Action::ALL), words());
    let entry = (
        slug(),
        words(),
        one(Scope::ALL),
        option::of((any::<u32>(), any::<u32>())),
        slug(),
        (1u32..1000, words()),
        vec(later, 0..4),
    );
    let entry = entry.prop_map(|(id, description, scope, target, storyline, (first, detail), later)| {
        let mut at = first;
        let mut history = vec![ThreadStep { chapter: ChapterNo::new(at).unwrap(), action: Action::Planted, detail }];
        for (gap, action, detail) in later {
            at += gap;
            history.push(ThreadStep { chapter: ChapterNo::new(at).unwrap(), action, detail });
        }
        Foreshadowing { id, description, scope, target, storyline, history }
    });
    vec(entry, 0..4).prop_map(|entries| Ledger { entries })
}

pub(super) fn plan() -> impl Strategy<Value = Vec<ThreadPlan>> {
    let entry = (
        slug(),
        words(),
        one(Scope::ALL),
        slug(),
        option::of(chapter_number()),
        vec(any::<u32>(), 0..3),
        option::of((any::<u32>(), any::<u32>())),
    );
    vec(
        entry.prop_map(|(id, description, scope, storyline, plant, advance, target)| ThreadPlan {
            id,
            description,
            scope,
            storyline,
            plant,
            advance,
            target,
        }),
        0..4,
    )
}

pub(super) fn recorded() -> impl Strategy<Value = RecordedEvaluation> {
    let check = (
        (line(), one(Layer::ALL), one(Strength::ALL), one(Finding::ALL), one(Confidence::ALL)),
        (words(), words(), any::<bool>()),
    );
    let check = check.prop_map(|((rule, layer, strength, finding, confidence), (detail, evidence, evidence_found))| {
        Check { rule, layer, strength, finding, confidence, detail, evidence, evidence_found }
    });
    let score = (100u32..=500, words(), words(), any::<bool>());
    let lists = (vec(words(), 0..3), vec((words(), words()), 0..3), vec(words(), 0..3), vec(words(), 0..3));
    let head = (chapter_number(), any::<bool>());
    (head, vec(check, 0..5), vec(score, 8), lists, option::of(one(Gate::ALL))).prop_map(
        |((chapter, reading), mut checks, scores, (risk_flags, fixes, issues, strengths), gate)| {
            checks.sort_by_key(|check| check.layer);
            let score = |(&dimension, (hundredths, reason, evidence, evidence_found)): (&Dimension, _)| Score {
                dimension,
                score: f64::from(hundredths) / 100.0,
                reason,
                evidence,
                evidence_found,
            };
            let scores = Dimension::ALL.iter().zip(scores).map(score).collect();
            let fix = |(target, instruction)| Fix { target, instruction };
            let required_fixes = fixes.into_iter().map(fix).collect();
            let evaluation =
                Evaluation { chapter, reading, checks, scores, risk_flags, required_fixes, issues, strengths };
            RecordedEvaluation { evaluation, gate }
        },
    )
}

pub(super) fn log() -> impl Strategy<Value = ChapterLog> {
    let count = || option::of(0u64..1_000_000_000);
    let stage = (
        (words(), words(), any::<u32>(), any::<u32>()),
        (count(), count(), count(), count(), count()),
        any::<(bool, bool, bool)>(),
    );
    let stage = stage.prop_map(
        |((name, model, ms, chars), (input, cached, written, output, cost), (estimated, used, ahead))| StageLog {
            name,
            model,
            duration_ms: ms.into(),
            input_tokens: input,
            cached_tokens: cached,
            cache_write_tokens: written,
            output_tokens: output,
            sent_chars: chars.into(),
            cost_micro_usd: cost,
            estimated,
            used,
            ahead,
        },
    );
    (chapter_number(), slug(), words(), vec(stage, 0..4), option::of(one(Gate::ALL)), any::<u32>(), vec(words(), 0..3))
        .prop_map(|(chapter, storyline, started_at, stages, gate, revisions, warnings)| ChapterLog {
            chapter,
            storyline,
            started_at,
            stages,
            gate,
            revisions,
            warnings,
        })
}

pub(super) fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let rule =
        (line(), words(), words(), one(Strength::ALL), vec(words(), 0..3), any::<u32>(), option::of(any::<u32>()));
    vec(
        rule.prop_map(|(id, category, rule, strength, exceptions, introduced_chapter, last_verified)| Rule {
            id,
            category,
            rule,
            strength,
            exceptions,
            introduced_chapter,
            last_verified,
        }),
        0..4,
    )
}

pub(super) fn character() -> impl Strategy<Value = Character> {
    let contract =
        (line(), words(), words(), vec(words(), 0..2), any::<u32>(), option::of(any::<u32>()), option::of(words()));
    let contract = contract.prop_map(|(id, kind, rule, exceptions, valid_from, valid_until, update_requires)| {
        CharacterContract { id, kind, rule, exceptions, valid_from, valid_until, update_requires }
    });
    let name = words().prop_filter("a person has a name", |name| !name.trim().is_empty());
    let texts = (name, vec(words(), 0..3), vec(words(), 0..2), words(), words(), words());
    (slug(), texts, vec(slug(), 0..3), vec(contract, 0..3)).prop_map(|(id, texts, storylines, contracts)| {
        let (display_name, aliases, former_names, role, speech, profile) = texts;
        let profile = profile.trim().to_owned();
        Character { id, display_name, aliases, former_names, role, storylines, speech, profile, contracts }
    })
}

pub(super) fn contract() -> impl Strategy<Value = ChapterContract> {
    let task = option::of((one(Action::ALL), slug()));
    let objective = (line(), words(), any::<bool>(), words(), task);
    let objective = objective.prop_map(|(id, kind, required, description, task)| Objective {
        id,
        kind,
        required,
        description,
        task,
    });
    let states = || btree_map(line(), btree_map(line(), words(), 0..3), 0..3);
    let updates = btree_map(slug(), one(Action::ALL), 0..3);
    let facts = || vec(words(), 0..3);
    let transition = option::of((slug(), words()).prop_map(|(next, bridge)| Transition { next, bridge }));
    let conditions = (facts(), vec(line(), 0..3), facts(), facts(), (states(), states(), updates));
    let context = (option::of(chapter_number()), option::of(0u32..=100), words(), btree_map(slug(), words(), 0..3));
    let context = context.prop_map(|(last, progress, last_summary, concurrent)| LineContext {
        last,
        progress,
        last_summary,
        concurrent,
    });
    let lines = (option::of(context), transition);
    (chapter_number(), slug(), conditions, vec(objective, 0..3), vec(slug(), 0..3), lines).prop_map(
        |(chapter, storyline, conditions, objectives, characters, (context, transition))| {
            let (preconditions, rules, postconditions, acceptance, told) = conditions;
            let (character_states, state_changes, foreshadowing) = told;
            ChapterContract {
                chapter,
                storyline,
                preconditions,
                character_states,
                rules,
                objectives,
                postconditions,
                state_changes,
                foreshadowing,
                acceptance,
                characters,
                context,
                transition,
            }
        },
    )
}

pub(super) fn relationships() -> impl Strategy<Value = Vec<Relationship>> {
    let relationship = (slug(), slug(), words(), words());
    vec(relationship.prop_map(|(from, to, kind, note)| Relationship { from, to, kind, note }), 0..4)
}

pub(super) fn storylines() -> impl Strategy<Value = Storylines> {
    let names = || vec(words(), 0..3);
    let storyline = (
        (slug(), words(), words(), one(Reach::ALL), one(Status::ALL)),
        (names(), names(), words(), (words(), option::of(volume()))),
    );
    let storyline =
        storyline.prop_map(|((id, name, kind, reach, status), (pov_characters, factions, timeline, words))| {
            let (description, introduced) = words;
            Storyline { id, name, kind, reach, status, pov_characters, factions, timeline, description, introduced }
        });
    let relation = (slug(), slug(), words(), names(), names(), names(), (words(), words()));
    let relation =
        relation.prop_map(|(from, to, kind, shared_characters, shared_foreshadowing, shared_events, words)| {
            let (convergence, function) = words;
            let bridges = Bridges { shared_characters, shared_foreshadowing, shared_events };
            Relation { from, to, kind, bridges, convergence, function }
        });
    (vec(storyline, 0..4), vec(relation, 0..3)).prop_map(|(lines, relations)| Storylines { lines, relations })
}

pub(super) fn schedule() -> impl Strategy<Value = Schedule> {
    let active = (slug(), one(VolumeRole::ALL), any::<u32>(), words());
    let active = active.prop_map(|(storyline, role, target_chapters, goal)| ScheduledLine {
        storyline,
        role,
        target_chapters,
        goal,
    });
    let meeting = (any::<(u32, u32)>(), vec(slug(), 0..3), words(), words());
    let meeting =
        meeting.prop_map(|(chapters, lines, trigger, aftermath)| Convergence { chapters, lines, trigger, aftermath });
    let rhythm = (words(), option::of(any::<u32>()), option::of(any::<u32>()), words());
    let rhythm = rhythm.prop_map(|(strategy, primary_max_consecutive, secondary_every, seasoning)| Interleaving {
        strategy,
        primary_max_consecutive,
        secondary_every,
        seasoning,
    });
    let lines = (vec(active, 0..4), option::of(rhythm), vec(meeting, 0..3), (vec(slug(), 0..3), vec(slug(), 0..3)));
    (volume(), words(), lines, any::<bool>()).prop_map(|(volume, theme, lines, closing)| {
        let (active, interleaving, convergences, (dormant, newly_activated)) = lines;
        Schedule { volume, theme, active, interleaving, convergences, dormant, newly_activated, closing }
    })
}

pub(super) fn judgement() -> impl Strategy<Value = Judgement> {
    let left = (one(Category::ALL), "[a-z.船]{1,6}", one(CleanupReason::ALL));
    let left = left.prop_map(|(category, id, reason)| Leftover { entry: StateEntry { category, id }, reason });
    let told = (words(), option::of(any::<u32>()), option::of(1..9_999u32));
    (volume(), one(Recommendation::ALL), told, any::<bool>(), vec(left, 0..3)).prop_map(
        |(volume, course, (reason, chapters_left, last), closing, leftovers)| Judgement {
            volume,
            course,
            reason,
            chapters_left,
            last: last.and_then(ChapterNo::new),
            closing,
            leftovers,
        },
    )
}

pub(super) fn scene_plan() -> impl Strategy<Value = ScenePlan> {
    let scene = (words(), words(), vec(words(), 0..3), words(), words(), any::<u32>())
        .prop_map(|(goal, place, people, conflict, turn, share)| Scene { goal, place, people, conflict, turn, share });
    vec(scene, 0..4).prop_map(|scenes| ScenePlan { scenes })
}

pub(super) fn chapter_memory() -> impl Strategy<Value = ChapterMemory> {
    let people = vec((words(), words()).prop_map(|(who, state)| PersonStatus { who, state }), 0..3);
    let kinds = (option::of(one(ChapterKind::ALL)), option::of(one(Hook::ALL)));
    let reader = (kinds, words(), vec(words(), 0..3), vec(chapter_number(), 0..3))
        .prop_map(|((kind, hook), question, payoffs, answers)| ReaderNote { kind, hook, question, payoffs, answers });
    let entry = (words(), vec(words(), 0..3), vec(words(), 0..3), people, vec(words(), 0..3), reader).prop_map(
        |(time, places, events, people, threads, reader)| ChapterNotes {
            time,
            places,
            events,
            people,
            threads,
            reader,
        },
    );
    (chapter_number(), slug(), entry).prop_map(|(chapter, storyline, entry)| ChapterMemory {
        chapter,
        storyline,
        entry,
    })
}

pub(super) fn memory() -> impl Strategy<Value = Memory> {
    let paragraphs = vec(line(), 0..3).prop_map(|lines| lines.join("\n\n"));
    (option::of(chapter_number()), prop_oneof![Just(String::new()), line()], paragraphs)
        .prop_map(|(chapter, status, facts)| Memory { chapter, status, facts })
}

pub(super) fn summary() -> impl Strategy<Value = SummaryPage> {
    let crossing = (line(), line(), one(LeakRisk::ALL), line());
    let crossing =
        crossing.prop_map(|(entity, storyline, risk, evidence)| CrossReference { entity, storyline, risk, evidence });
    let paragraphs = vec(line(), 0..3).prop_map(|lines| lines.join("\n\n"));
    let head = (chapter_number(), "[雨渡a-z]{1,8}", slug(), option::of(line()));
    (head, vec(crossing, 0..3), paragraphs, any::<bool>()).prop_map(
        |((chapter, title, storyline, line_status), cross_references, text, excerpt)| SummaryPage {
            chapter,
            title,
            storyline,
            line_status: line_status.unwrap_or_default(),
            cross_references,
            text,
            excerpt,
        },
    )
}
