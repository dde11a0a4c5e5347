//! The scripted model: a good reply for every stage of a chapter, and the ways in which one can be bad.

use crate::llm::server::{Answer, Received};
use novel::llm::Wire;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The stage that a request is for, by what only its prompt says. The words are those of `prompts/`.
pub fn stage_of(request: &Received) -> &'static str {
    let prompt = request.prompt();
    let marks = [
        ("从这一句之后接着往下写", "continue"),
        ("搭世界", "world"),
        ("选角、写人", "cast"),
        ("这本书的骨头", "theme"),
        ("文体学者", "style"),
        ("添一条故事线，只添一条", "storyline"),
        ("只定故事线的调度", "schedule"),
        ("只补缺的字段", "fill"),
        ("一章不多，一章不少", "outline"),
        ("卷末意见", "review"),
        ("交给写手一场一场去写", "scene-plan"),
        ("每次只写一场", "scene"),
        ("这是第 2 遍", "polish"),
        ("这是第 1 遍", "refine"),
        ("复审（独立", "judge-2"),
        ("初审", "judge"),
        ("场记", "summarize"),
        ("旧稿已经弃用", "rewrite"),
        ("审过了，需要修订", "revise"),
        ("现在写第", "draft"),
    ];
    marks.iter().find(|(mark, _)| prompt.contains(mark)).map_or("?", |(_, stage)| stage)
}

/// A reply to a request of a stage.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A complete answer.
    Text(String),
    /// An answer that stops at the output limit.
    CutShort(String),
    /// An answer that is refused.
    Refusal(String),
    /// The first part of the answer, then the connection breaks.
    Broken(String),
    /// The first part of the answer, then silence.
    Stalled(String),
    /// An answer of the server, as it is.
    Raw(Answer),
}

impl From<Value> for Reply {
    fn from(value: Value) -> Self {
        Self::Text(value.to_string())
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        Self::Raw(answer)
    }
}

impl Reply {
    /// The reply over a wire.
    pub fn over(&self, wire: Wire) -> Answer {
        let ending = |text: &str, openai: &str, anthropic: &str| match wire {
            Wire::OpenAi => Answer::openai_stream_ending(text, openai),
            Wire::Anthropic => Answer::anthropic_stream_ending(text, anthropic),
        };
        let whole = |text: &str| ending(text, "stop", "end_turn");
        // Two thirds of the text: the third of the three events with text does not come.
        let first_events = |text: &str| {
            let answer = whole(text);
            let last = text.chars().count().div_ceil(3) * 2 - 3;
            let seen: String = text.chars().skip(last).take(3).collect();
            let bytes = answer.through_event(&seen);
            (answer, bytes)
        };
        match self {
            Self::Text(text) => whole(text),
            Self::CutShort(text) => ending(text, "length", "max_tokens"),
            Self::Refusal(text) => ending(text, "content_filter", "refusal"),
            Self::Broken(text) => {
                let (answer, bytes) = first_events(text);
                answer.cut_after(bytes)
            }
            Self::Stalled(text) => {
                let (answer, bytes) = first_events(text);
                answer.stalled_after(bytes)
            }
            Self::Raw(answer) => answer.clone(),
        }
    }
}

/// The replies that are left, by stage; a stage without any gets a good one.
#[derive(Debug, Default)]
pub struct Script {
    replies: BTreeMap<String, VecDeque<Reply>>,
}

impl Script {
    pub fn put(&mut self, stage: &str, reply: Reply) {
        self.replies.entry(stage.to_owned()).or_default().push_back(reply);
    }

    pub fn take(&mut self, request: &Received) -> Reply {
        let stage = stage_of(request);
        let next = self.replies.get_mut(stage).and_then(VecDeque::pop_front);
        next.unwrap_or_else(|| match stage {
            "scene" => scene_for(request).into(),
            "draft" => draft_of(chapter_of(request)).into(),
            "continue" => rest_for(request).into(),
            "rewrite" => rewritten(chapter_of(request)),
            _ => good(stage),
        })
    }

    /// The stages whose scripted replies were never requested.
    pub fn left(&self) -> Vec<&str> {
        self.replies.iter().filter(|(_, left)| !left.is_empty()).map(|(stage, _)| stage.as_str()).collect()
    }
}

impl Reply {
    /// A reply that the pipeline takes as it is.
    pub fn good(stage: &str) -> Self {
        good(stage)
    }
}

fn good(stage: &str) -> Reply {
    match stage {
        "draft" => draft().into(),
        "scene-plan" => scene_plan().into(),
        "revise" => draft().replace("他没有回头。", "他一步也没有停。").into(),
        "rewrite" => draft().replace("天还没有亮，", "雨下了整夜，").into(),
        "summarize" => summary(json!([moved_to("北门外")])).into(),
        "refine" => edits(&[("火把被风压得很低", "火把让风压低了")]).into(),
        "polish" => edits(&[("灯笼晃了两下", "灯笼动了动")]).into(),
        _ => score(4.2).into(),
    }
}

/// The part of the draft behind the last sentence that a continuation is given.
fn rest_for(request: &Received) -> String {
    let (prompt, draft) = (request.prompt(), draft());
    let (_, last) = prompt.split_once("<最后一句>\n").unwrap();
    let (last, _) = last.split_once("\n</最后一句>").unwrap();
    let rest = draft.split_once(last).map(|(_, rest)| rest.trim()).filter(|rest| !rest.is_empty());
    rest.unwrap_or("他把信重新收好，朝江边走去。身后的城门慢慢合上了。").to_owned()
}

/// The chapter that a text is asked for.
fn chapter_of(request: &Received) -> u32 {
    let prompt = request.prompt();
    let task = prompt.rfind("# 任务").map_or("", |at| &prompt[at..]);
    let (_, rest) = task.split_once("第 ").unwrap();
    rest.split_once(' ').unwrap().0.parse().unwrap()
}

/// Another text for that chapter.
fn rewritten(chapter: u32) -> Reply {
    let body = draft_of(chapter + 20).split_once('\n').map(|(_, body)| body.to_owned()).unwrap();
    match chapter {
        2 => good("rewrite"),
        other => format!("# 第{other}章 夜路\n{body}").into(),
    }
}

/// A draft of that chapter: the same story with its characters changed about, since no chapter is a copy of another.
pub fn draft_of(chapter: u32) -> String {
    let (_, body) = draft().split_once("\n\n").map(|(head, body)| (head.to_owned(), body.to_owned())).unwrap();
    let is_han = |c: &char| ('\u{4E00}'..='\u{9EFF}').contains(c);
    let characters: Vec<char> = body.chars().filter(is_han).collect::<BTreeSet<_>>().into_iter().collect();
    let other = |c: char| match characters.binary_search(&c) {
        Ok(at) if chapter != 2 => characters[(at + chapter as usize) % characters.len()],
        _ => c,
    };
    let title = ["夜里的灯", "城门", "渡口", "回城"].get(chapter as usize - 1).copied().unwrap_or("夜路");
    format!("# 第{chapter}章 {title}\n\n{}", body.chars().map(other).collect::<String>())
}

/// A sentence of the draft that nothing changes.
pub const QUOTE: &str = "守门人把信举到灯下，先看火漆，再看他的脸。";

/// A chapter of about 400 words.
pub fn draft() -> String {
    "# 第2章 城门\n\n\
     天还没有亮，北门底下已经排了七八个人。火把被风压得很低，照得人脸一边黄一边黑。林枫站在最末，把信往怀里又按了按。\n\n\
     轮到他的时候，守门人伸出一只手，不说话。\n\n\
     “送米的。”林枫说。\n\n\
     “米呢？”\n\n\
     “昨天就进了城，今天出去收账。”\n\n\
     守门人笑了一声，手没有收回去。旁边的兵把长枪横过来，枪杆抵住他的胸口，正好抵在那封信上。纸响了一下，谁都听见了。\n\n\
     守门人把信举到灯下，先看火漆，再看他的脸。火漆裂成三瓣，中间那一瓣缺了角。老兵凑过来看了一眼，忽然不笑了。\n\n\
     “这个记号我认得。”老兵说，“十二年前，有个人也拿着它出的这道门。”\n\n\
     “后来呢？”林枫问。\n\n\
     “后来没有人见过他。”\n\n\
     灯笼晃了两下。守门人把信折好，塞回林枫手里，比拿走的时候慢得多。他说门开一半，只开一盏茶的工夫，出去的人今天不能再回来。\n\n\
     林枫点头，从两扇门中间挤过去。门轴在身后叫得很响，像有人拖着一条铁链。他没有回头。走出二十几步，他才发现自己攥着信的那只手一直在抖，\
     而信封的背面多了一个湿印，是一枚拇指，正按在裂开的火漆上。\n"
        .to_owned()
}

/// A plan of three scenes.
pub fn scene_plan() -> Value {
    let scene = |goal: &str, share: u32| json!({"goal": goal, "place": "北门", "people": ["林枫"], "conflict": "守门人要查他", "turn": "信露了出来", "share": share});
    json!({"scenes": [scene("林枫排到门前", 30), scene("老兵认出火漆", 40), scene("林枫出城", 30)]})
}

/// The parts of the draft that are its three scenes, as a model writes them.
pub fn scenes() -> [String; 3] {
    let draft = draft();
    let (_, body) = draft.split_once("\n\n").unwrap();
    let paragraphs: Vec<&str> = body.trim().split("\n\n").collect();
    [&paragraphs[..6], &paragraphs[6..10], &paragraphs[10..]].map(|part| part.join("\n\n"))
}

/// The one of them that a request asks for.
fn scene_for(request: &Received) -> String {
    let prompt = request.prompt();
    let number = |at: &usize| prompt.contains(&format!("现在写第 {} 场", at + 1));
    scenes()[(0..3).find(number).unwrap()].clone()
}

/// The writer's remarks, as they stand at the end of a reply.
pub const HINTS: &str = "\n【状态提示】\n- 林枫练成了御剑术\n";

/// The operation that moves the protagonist.
pub fn moved_to(place: &str) -> Value {
    json!({"op": "set", "path": "characters.lin-feng.location", "value": place, "detail": "", "scope": ""})
}

/// A summary with these operations.
pub fn summary(ops: Value) -> Value {
    json!({
        "summary": "林枫带着信到了北门。守门人认出裂开的火漆，把信还给他，放他出城。",
        "ops": ops,
        "memory": "林枫带信出城；十二年前有人拿着同样的信走过北门。",
        "line_status": "林枫已经出城。",
        "cross_references": [],
    })
}

/// A list of edits.
pub fn edits(list: &[(&str, &str)]) -> Value {
    let edit = |(original, refined): &(&str, &str)| json!({"original": original, "refined": refined, "reason": "句式"});
    json!({"edits": list.iter().map(edit).collect::<Vec<_>>()})
}

fn passed(rule: &str) -> Value {
    json!({"rule": rule, "finding": "pass", "confidence": "high", "detail": "", "evidence": ""})
}

/// A report with the same score everywhere and no violation.
pub fn score(score: f64) -> Value {
    let dimensions = [
        "plot_logic",
        "character",
        "immersion",
        "foreshadowing",
        "pacing",
        "style_naturalness",
        "emotional_impact",
        "storyline_coherence",
    ];
    let one = json!({"score": score, "reason": "收尾有余味", "evidence": QUOTE});
    let scores: serde_json::Map<String, Value> =
        dimensions.iter().map(|dimension| ((*dimension).to_owned(), one.clone())).collect();
    json!({
        "checks": (["LS-001", "OBJ-001-1", "OBJ-001-2", "OBJ-002-1", "OBJ-002-2"].map(passed)),
        "passed": ["LS-002", "LS-003", "LS-004", "LS-005", "OBJ-003-1", "OBJ-003-2", "OBJ-004-1", "OBJ-004-2", "OBJ-005-1", "OBJ-006-1", "OBJ-010-1", "OBJ-011-1"],
        "not_applicable": [],
        "scores": scores,
        "risk_flags": [],
        "required_fixes": [{"target": "老兵凑过来", "instruction": "让老兵的停顿更长"}],
        "issues": ["中段的压力不够"],
        "strengths": ["结尾的湿印"],
    })
}

/// A report in which a hard rule is broken, beyond doubt, in these words.
pub fn violation(points: f64, evidence: &str) -> Value {
    let mut report = score(points);
    report["checks"][0] = json!({"rule": "LS-001", "finding": "violation", "confidence": "high",
        "detail": "时辰对不上", "evidence": evidence});
    report
}
