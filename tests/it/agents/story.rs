//! A small story with two storylines, three people, a contract and rules; and the same story grown out of all measure.

use novel::agents::context::chapter::{Memory, PagePassage, Recent};
use novel::agents::planners::context::Note;
use novel::agents::{ChapterContext, PlanningContext, SceneOrder, VolumeOrder};
use novel::domain::book::config::BookConfig;
use novel::domain::chapter::Chapter;
use novel::domain::chapter::summary::{ChapterKind, Hook, ReaderNote};
use novel::domain::chapter::summary::{ChapterMemory, ChapterNotes, PersonStatus};
use novel::domain::chapter::summary::{OpenQuestion, PacingFlag, REACH, ReaderLedger};
use novel::domain::chapter::{Scene, ScenePlan};
use novel::domain::state::State;
use novel::domain::volume::foreshadowing::{Action, ForeshadowOp, Ledger, Scope};
use novel::domain::volume::outline::Outline;
use novel::domain::world::character::{Character, Relationship};
use novel::domain::world::contract::{
    ChapterContract, CharacterContract, LineContext, Objective, Rule, Strength, Transition,
};
use novel::domain::world::storyline::{
    Convergence, Reach, Schedule, ScheduledLine, Status, Storyline, Storylines, VolumeRole,
};
use novel::domain::world::style::{AiPhrase, AiPhrases, StyleProfile, StyleSource};
use novel::domain::{ChapterNo, Slug, VolumeNo};
use novel::text::{Excerpt, ExcerptKind};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// An id.
pub fn slug(text: &str) -> Slug {
    Slug::new(text).unwrap()
}

/// A chapter's number.
pub fn at(n: u32) -> ChapterNo {
    ChapterNo::new(n).unwrap()
}

const CONFLICTS: [&str; 5] = [
    "要出城的人和守城的人撞在一处，谁也不肯先报名号",
    "账本只有一份，三家都派了人来取",
    "救人要用的药正是仇家铺子里的",
    "旧友登门求助，求的却是他最不能给的东西",
    "暗号是真的，送暗号的人是假的",
];

/// An outline of so many chapters from `first`, every third one on the second line.
pub fn outline(first: u32, count: u32) -> Outline {
    let mut text = String::from("# 第一卷 潮信\n\n雨季里的城，人人都在等一封信。\n\n");
    for n in first..first + count {
        let second = n % 3 == 0;
        let (line, pov, place) =
            if second { ("sea-plan", "许青", "望潮码头") } else { ("main-arc", "林枫", "城北废墟") };
        let conflict = CONFLICTS[n as usize % CONFLICTS.len()];
        let task = if second {
            "埋设 tide-table：潮汐表少了一页"
        } else {
            "推进 mirror：镜背的半句诗接上了下半句"
        };
        write!(
            text,
            "## 第{n}章 雨夜其{n}\n\n- 故事线: {line}\n- 视角: {pov}\n- 地点: {place}\n- 冲突: {conflict}\n\
             - 人物弧光: 从只信自己到肯托付一次\n- 伏笔: {task}\n- 状态变化: {pov}到{place}；得半枚铜符\n\n"
        )
        .unwrap();
    }
    Outline::parse(&text).unwrap()
}

fn character(id: &str, name: &str, role: &str, line: &str, profile: &str, speech: &str, rule: &str) -> Character {
    Character {
        id: slug(id),
        display_name: name.into(),
        aliases: Vec::new(),
        former_names: Vec::new(),
        role: role.into(),
        storylines: vec![slug(line)],
        speech: speech.into(),
        profile: profile.into(),
        contracts: vec![CharacterContract {
            id: format!("C-{}-001", id.replace('-', "").to_uppercase()),
            kind: "capability".into(),
            rule: rule.into(),
            exceptions: vec!["性命攸关且事先有铺垫".into()],
            valid_from: 1,
            valid_until: None,
            update_requires: Some("章纲写明突破".into()),
        }],
    }
}

fn characters() -> Vec<Character> {
    let mut guan = character(
        "guan-shi",
        "管十",
        "supporting",
        "main-arc",
        "守城老卒，左手缺两指。收钱办事，从不问钱的来路，只有提到女儿才会变脸。",
        "慢，爱说“不急，天塌不下来”。",
        "从不离开城门一里以外",
    );
    guan.aliases = vec!["老管".into()];
    vec![
        guan,
        character(
            "lin-feng",
            "林枫",
            "protagonist",
            "main-arc",
            "刻碑匠的儿子，认得死字比认得活人多。要查清父亲为何替人刻了一块无名碑；怕水，怕欠人情。",
            "短，爱拿石头打比方，口头禅“先看料”。",
            "只会石工与拓印，不通武艺，打斗只能靠地形和工具",
        ),
        character(
            "xu-qing",
            "许青",
            "supporting",
            "sea-plan",
            "船务司的书办，过目不忘。想把哥哥的名字从沉船名册上划掉。",
            "爱反问，句尾常带“成不成”。",
            "不会水，上船必晕",
        ),
    ]
}

fn rule(id: &str, category: &str, rule: &str, strength: Strength) -> Rule {
    let introduced_chapter = 0;
    Rule {
        id: id.into(),
        category: category.into(),
        rule: rule.into(),
        strength,
        exceptions: vec![],
        introduced_chapter,
        last_verified: None,
    }
}

fn storyline(id: &str, name: &str, status: Status, description: &str) -> Storyline {
    Storyline {
        id: slug(id),
        name: name.into(),
        kind: "mystery".into(),
        reach: Reach::Novel,
        status,
        pov_characters: Vec::new(),
        factions: Vec::new(),
        timeline: "present".into(),
        description: description.into(),
        introduced: None,
    }
}

fn ledger() -> Ledger {
    let mut ledger = Ledger::default();
    let planted = |id: &str, detail: &str, scope| ForeshadowOp {
        id: slug(id),
        action: Action::Planted,
        detail: detail.into(),
        scope: Some(scope),
        target: None,
    };
    let entries = [
        (planted("mirror", "铜镜背面刻着半句诗", Scope::Medium), 1, "main-arc"),
        (planted("nameless-stele", "父亲刻过一块无名碑", Scope::Long), 2, "main-arc"),
        (planted("torn-list", "沉船名册被撕去一角", Scope::Short), 3, "sea-plan"),
    ];
    for (op, chapter, line) in entries {
        ledger.apply(&op, at(chapter), &slug(line)).unwrap();
    }
    ledger
}

fn state(chapter: u32) -> State {
    let tree = json!({
        "characters": {
            "lin-feng": {"location": "城北客栈", "mood": "起疑", "inventory": ["铜镜", "拓包"], "relationships": {"guan-shi": "欠他一个人情"}},
            "xu-qing": {"location": "船务司", "inventory": ["沉船名册"]},
            "guan-shi": {"location": "北门"}
        },
        "items": {"bronze-mirror": {"name": "铜镜", "holder": "lin-feng"}, "old-bell": {"name": "哑钟", "holder": "nobody"}},
        "locations": {"north-ruin": {"name": "城北废墟", "state": "封城后禁入"}, "pier": {"name": "望潮码头", "state": "停渡"}},
        "world_state": {"time": "雨季第九日夜", "curfew": "北门戌时落锁"},
        "active_foreshadowing": ["mirror", "nameless-stele", "torn-list"]
    });
    State { version: chapter - 1, last_updated_chapter: chapter - 1, tree: tree.as_object().unwrap().clone() }
}

fn contract(chapter: u32, line: &Slug) -> ChapterContract {
    let objective = |n: u32, kind: &str, required: bool, description: &str| Objective {
        id: format!("OBJ-{chapter:03}-{n}"),
        kind: kind.into(),
        required,
        description: description.into(),
        task: None,
    };
    let next = if (chapter + 1).is_multiple_of(3) { "sea-plan" } else { "main-arc" };
    ChapterContract {
        chapter: at(chapter),
        storyline: line.clone(),
        preconditions: vec!["林枫手里有铜镜".into(), "北门已经落锁".into()],
        character_states: BTreeMap::new(),
        rules: Vec::new(),
        objectives: vec![
            objective(1, "plot", true, "林枫不动武，赚开北门"),
            objective(2, "foreshadowing", true, "镜背的半句诗与废墟石刻对上"),
            objective(3, "character", false, "管十第一次提起女儿"),
        ],
        postconditions: vec!["林枫身在城北废墟".into()],
        state_changes: BTreeMap::new(),
        foreshadowing: BTreeMap::new(),
        acceptance: vec!["开门的办法用到了石工的本事".into()],
        characters: Vec::new(),
        context: Some(LineContext {
            last: ChapterNo::new(chapter.saturating_sub(2)),
            progress: Some(40),
            ..LineContext::default()
        }),
        transition: (slug(next) != *line)
            .then(|| Transition { next: slug(next), bridge: "码头的钟声传到北门".into() }),
    }
}

/// The ledger's entry of a chapter.
fn chapter_memory(n: u32) -> ChapterMemory {
    let second = n.is_multiple_of(3);
    let (line, who, state) = if second {
        ("sea-plan", "xu-qing", "袖着名册缺角")
    } else {
        ("main-arc", "lin-feng", "右手虎口裂了")
    };
    let entry = ChapterNotes {
        time: format!("雨季第{n:04}日夜"),
        places: vec![if second { "望潮码头" } else { "城北废墟" }.into()],
        events: vec!["守卒收了玉放行一次".into(), "铜镜换了位置".into()],
        people: vec![PersonStatus { who: who.into(), state: state.into() }],
        threads: vec![if second { "名册的缺角是谁撕的" } else { "谁动过铜镜" }.into()],
        reader: ReaderNote {
            kind: Some(if second { ChapterKind::Investigation } else { ChapterKind::Negotiation }),
            hook: Some(if n.is_multiple_of(2) { Hook::Question } else { Hook::Danger }),
            question: if second { "名册的缺角是谁撕的" } else { "谁动过铜镜" }.into(),
            payoffs: if n.is_multiple_of(5) { vec!["拓片的来历".into()] } else { Vec::new() },
            // The question of the chapter before on the line is answered but for one in five.
            answers: (1..n)
                .rev()
                .find(|m| m.is_multiple_of(3) == second)
                .filter(|_| !n.is_multiple_of(5))
                .map(at)
                .into_iter()
                .collect(),
        },
    };
    ChapterMemory { chapter: at(n), storyline: slug(line), entry }
}

/// The material of a chapter; the volume has forty chapters and begins with `first`.
pub fn chapter_of_volume(chapter: u32, first: u32) -> ChapterContext {
    let outline = outline(first, 40);
    let section = outline.section(at(chapter)).unwrap().clone();
    let contract = contract(chapter, &section.storyline);
    let told_before = |n: &u32| (n.is_multiple_of(3)) == (chapter.is_multiple_of(3));
    let first_shown = |least: u32, step: u32| chapter.saturating_sub(1 + least) / step * step + 1;
    let mut near: Vec<u32> = (1..chapter).filter(told_before).collect();
    near.drain(..near.len().saturating_sub(3) / 5 * 5);
    let line_before = near.last().map(|n| at(*n));
    let recent = near.into_iter().map(|n| Recent {
        chapter: at(n),
        title: format!("雨夜其{n}"),
        storyline: slug(if n % 3 == 0 { "sea-plan" } else { "main-arc" }),
        summary: "林枫用一包拓纸换来守卒的口信，得知无名碑立在废墟深处；回客栈时发现房门虚掩，铜镜换了位置。".repeat(3),
    });
    let remembered: Vec<ChapterMemory> = (chapter.saturating_sub(REACH).max(1)..chapter).map(chapter_memory).collect();
    let reader = ReaderLedger::of(&remembered);
    let chapter_memories = remembered.into_iter().filter(|memory| memory.chapter.get() >= first_shown(5, 10));
    let memory =
        |n: u32, status: &str, facts: &str| Memory { chapter: Some(at(n)), status: status.into(), facts: facts.into() };
    let memories = BTreeMap::from([
        (
            slug("main-arc"),
            memory(1, "林枫被困在落锁的北门内", "林枫有铜镜。管十收了他一块玉，答应放行一次。父亲的碑在城北。"),
        ),
        (slug("sea-plan"), memory(3, "许青在查沉船名册", "名册缺角在许青袖中。她怀疑司正。沉船的货单是伪造的。")),
        (slug("court"), memory(2, "朝中在议海禁", "司正受命于长公主，要在雨季前灭口。")),
    ]);
    ChapterContext {
        chapter: at(chapter),
        wishes: vec![],
        volume: VolumeNo::FIRST,
        config: BookConfig { title: "潮信".into(), genre: "悬疑古风".into(), ..BookConfig::default() },
        brief:
            "一个不会武的刻碑匠，靠石头上的痕迹拆穿一座城的谎。\n基调：冷，克制，偶有冷幽默。\n主题：人靠什么被记住。\n"
                .repeat(4),
        style: StyleProfile {
            source: StyleSource::Original,
            source_name: None,
            avg_sentence_length: 14.2,
            dialogue_ratio: 0.38,
            measured: BTreeMap::new(),
            rhetoric_preferences: vec!["比喻只用器物".into(), "少用排比".into()],
            forbidden_words: vec!["璀璨".into(), "宛如".into()],
            character_speech_patterns: BTreeMap::from([("主角".into(), "答非所问，先说石头".into())]),
            writing_directives: vec![
                "开场先给一个动作".into(),
                "对白之间插一件手上的小事".into(),
                "章末停在半句话上".into(),
            ],
            own_phrases: Vec::new(),
        },
        phrases: AiPhrases {
            phrases: (1..=14).map(|n| AiPhrase { text: format!("熟词{n}号"), category: "神态".into() }).collect(),
            allowed: vec!["熟词3号".into()],
            ..AiPhrases::default()
        }
        .into(),
        drift: Vec::new(),
        outline,
        section,
        storylines: Storylines {
            lines: vec![
                storyline("main-arc", "无名碑", Status::Active, "林枫追查父亲刻的无名碑"),
                storyline("sea-plan", "沉船案", Status::Active, "许青追查沉船名册"),
                storyline("court", "海禁", Status::Dormant, "朝中的海禁之争"),
            ],
            relations: Vec::new(),
        },
        is_scheduled: true,
        planned: vec![],
        schedule: Schedule {
            volume: VolumeNo::FIRST,
            theme: "信".into(),
            active: vec![
                ScheduledLine {
                    storyline: slug("main-arc"),
                    role: VolumeRole::Primary,
                    target_chapters: 27,
                    goal: "找到碑".into(),
                },
                ScheduledLine {
                    storyline: slug("sea-plan"),
                    role: VolumeRole::Secondary,
                    target_chapters: 13,
                    goal: "补全名册".into(),
                },
            ],
            interleaving: None,
            convergences: vec![Convergence {
                chapters: (first + 35, first + 36),
                lines: vec![slug("main-arc"), slug("sea-plan")],
                trigger: "碑文与名册同一笔迹".into(),
                aftermath: "两人互知对方存在".into(),
            }],
            dormant: vec![slug("court")],
            closing: false,
            newly_activated: Vec::new(),
        },
        memories,
        recent: recent.collect(),
        passages: Vec::new(),
        pages: vec![PagePassage {
            path: "world/城北.md".into(),
            text: "城北废墟原是碑匠的作坊，火后无人肯住，入夜只剩打更的绕着走。".into(),
        }],
        samples: vec![
            Excerpt {
                kind: ExcerptKind::Dialogue,
                text: "“这块料废了。”\n“哪里废？”\n“里头。”他拿指节敲了敲，“听。”".into(),
            },
            Excerpt { kind: ExcerptKind::Ending, text: "他把锤子放回原处，门没有关。".into() },
        ],
        relationships: vec![Relationship {
            from: slug("lin-feng"),
            to: slug("guan-shi"),
            kind: "人情债".into(),
            note: "一块玉换一次放行".into(),
        }],
        minor_cast: Vec::new(),
        chapter_memories: chapter_memories.collect(),
        reader,
        line_before,
        bridge: if line_before == at(chapter).previous() {
            ""
        } else {
            "码头的钟敲过三下，城北有人把灯灭了"
        }
        .into(),
        overused: Vec::new(),
        worn: Vec::new(),
        voices: Vec::new(),
        previous_ending: "门闩响了一声。林枫没有回头，只把铜镜往怀里按了按。\n\n“先看料。”他说。\n".into(),
        state: state(chapter),
        ledger: ledger(),
        characters: characters(),
        rules: vec![
            rule("W-001", "society", "戌时落锁之后，任何人不得凭口令开北门", Strength::Hard),
            rule("W-002", "society", "碑匠不得为无名者刻碑，违者断指", Strength::Hard),
            rule("W-003", "weather", "雨季里火把点不过一刻", Strength::Soft),
        ],
        storyline_rules: vec![
            rule("LS-001", "continuity", "两条线上同一夜发生的事不得互相矛盾", Strength::Hard),
            rule("LS-002", "transition", "切线后尽早交代时辰与所在", Strength::Soft),
        ],
        contract: Some(contract),
        waivers: Default::default(),
        editions: 0,
    }
}

/// The material of chapter 8 of the first volume, a chapter of the main line.
pub fn context() -> ChapterContext {
    chapter_of_volume(8, 1)
}

/// A chapter's text of about so many characters.
pub fn text(chapter: u32, length: usize) -> Chapter {
    let paragraph = "林枫蹲下去，用指甲刮了刮石缝里的泥。泥是新的，缝却是旧的。\n\n“不急，天塌不下来。”管十把灯往后挪了半步，“你看够了没有？”\n\n";
    let body = paragraph.repeat(length.div_ceil(paragraph.chars().count()));
    Chapter { number: at(chapter), title: "雨夜".into(), body: format!("{}\n", body.trim()) }
}

/// The same story with 100 people, 60 chapters planned, 300 open foreshadowings, and everything long.
pub fn oversized() -> ChapterContext {
    let long = |length: usize| "此人来历不明而话又极多。".repeat(length / 12);
    let mut context = context();
    context.outline = outline(1, 60);
    context.section = context.outline.section(at(30)).unwrap().clone();
    context.chapter = at(30);
    context.brief = long(20_000);
    let people = context.state.tree["characters"].as_object_mut().unwrap();
    let mut listed = Vec::new();
    for n in 0..40 {
        let id = format!("person-{n:02}");
        let mut person =
            character(&id, &format!("路人{n:02}"), "supporting", "main-arc", &long(3000), &long(500), &long(400));
        person.contracts = vec![person.contracts[0].clone(); 12];
        let facts: Vec<String> = (0..20).map(|_| long(190)).collect();
        people.insert(id, json!({"location": long(190), "inventory": facts, "mood": long(190)}));
        listed.push(person.id.clone());
        context.characters.push(person);
    }
    context.characters.sort_by(|a, b| a.id.cmp(&b.id));
    let mut contract = contract(30, &slug("sea-plan"));
    contract.characters = listed;
    contract.postconditions = vec![long(500); 40];
    context.contract = Some(contract);
    for n in 0..120 {
        let op = ForeshadowOp {
            id: slug(&format!("thread-{n}")),
            action: Action::Planted,
            detail: long(190),
            scope: Some(if n % 2 == 0 { Scope::Short } else { Scope::Long }),
            target: None,
        };
        let line = if n % 3 == 0 { "main-arc" } else { "sea-plan" };
        context.ledger.apply(&op, at(n / 20 + 1), &slug(line)).unwrap();
    }
    context.rules = (0..80).map(|n| rule(&format!("W-{n:03}"), "society", &long(300), Strength::Hard)).collect();
    let phrases = (0..300).map(|n| AiPhrase { text: format!("熟词{n}"), category: String::new() }).collect();
    context.phrases = AiPhrases { phrases, ..AiPhrases::clone(&context.phrases) }.into();
    context.style.writing_directives = vec![long(300); 60];
    context.style.forbidden_words = vec![long(100); 300];
    for memory in &mut context.chapter_memories {
        memory.entry.events = vec![long(400); 20];
        memory.entry.threads = vec![long(300); 20];
    }
    for (n, question) in (1..80).zip(std::iter::repeat("谁在门外".repeat(60))) {
        let (chapter, storyline) = (at(n), slug(if n % 2 == 0 { "main-arc" } else { "sea-plan" }));
        let open = OpenQuestion { chapter, storyline, question, later: n as usize % 5 };
        context.reader.pacing.push(PacingFlag::Unanswered(open.clone()));
        context.reader.questions.push(open);
    }
    context.recent.iter_mut().for_each(|recent| recent.summary = long(2000));
    context.memories.values_mut().for_each(|memory| memory.facts = long(5000));
    context
}

/// A scene of chapter 8 in three, with the text that stands before it.
pub fn scene_order(number: u32) -> SceneOrder {
    let scene = |goal: &str, place: &str, turn: &str, share| Scene {
        goal: goal.into(),
        place: place.into(),
        people: vec!["林枫".into(), "管十".into()],
        conflict: "林枫要进城北，管十不肯白放人".into(),
        turn: turn.into(),
        share,
    };
    let plan = ScenePlan {
        scenes: vec![
            scene("赚开北门", "北门，二更", "门开了一线，玉归了管十", 30),
            scene("对上半句诗", "城北废墟", "石上的下半句是父亲的笔迹", 45),
            scene("带着拓片出来", "城北废墟外", "有人先到了客栈", 25),
        ],
    };
    let so_far = if number > 1 { text(8, 1200).body } else { String::new() };
    let words = plan.span(number, if number > 1 { 800 } else { 0 }, &(2500..=3500));
    SceneOrder { plan, number, so_far, words }
}

/// The small story as planners see it.
pub fn planning_context() -> PlanningContext {
    let context = context();
    PlanningContext {
        config: context.config,
        brief: context.brief,
        rules: context.rules,
        world: vec![Note {
            name: "history.md".into(), text: "三十年前城北有过一场火，火后封城七日。".into()
        }],
        relationships: vec![Relationship {
            from: slug("lin-feng"),
            to: slug("xu-qing"),
            kind: "旧识".into(),
            note: "同窗三年，各有所瞒".into(),
        }],
        characters: context.characters,
        storylines: context.storylines,
        memories: context.memories,
        ledger: context.ledger,
        review: "上一卷收在城门开启的一刻；暗号是谁送的，仍没有答案。".into(),
        recent: context.recent,
        chapter_memories: context.chapter_memories,
        reader: context.reader,
        research: vec![Note { name: "gates.md".into(), text: "宵禁以鼓为号，三通而闭。".into() }],
        last_completed: context.chapter.get() - 1,
    }
}

/// A volume of ten chapters after the small story.
pub fn order(trial: bool) -> VolumeOrder {
    let (first, chapters) = if trial { (1, 3) } else { (51, 10) };
    VolumeOrder {
        volume: VolumeNo::new(2).unwrap(),
        first,
        chapters,
        wish: "让许青先背叛一次".into(),
        trial,
        closing: false,
        fill: false,
    }
}
