//! People: what they want, lack and refuse, how they speak, and how they stand to each other.

use super::super::chance::seed;
use super::super::patterns::pool;
use super::{Desk, brief, first_chars, one_field, steps};
use crate::agents::planners::context::{CastRequest, PlanningContext};
use crate::domain::Slug;
use crate::domain::world::character::Character;
use crate::domain::world::contract::{CharacterContract, names_id};
use crate::text::is_common;
use serde_json::{Value, json};

/// The characters that end a name at the beginning of a description.
const ENDS: [char; 16] = ['，', ',', '：', ':', '（', '(', '、', '；', ';', '。', '\n', '！', '？', '—', '“', '|'];
/// Callings that are built like familiar names.
const CALLINGS: [&str; 8] = ["老师", "老兵", "老板", "老人", "老头", "小姐", "小孩", "阿姨"];
/// The longest text about a person that is taken over from a request.
const LONGEST: usize = 90;

/// The first people of a book, one more, or one changed.
pub(in super::super) fn cast(context: &PlanningContext, request: &CastRequest) -> String {
    let desk = Desk::new(context);
    match request {
        CastRequest::First { protagonist } => first(&desk, protagonist),
        CastRequest::Add { wish } => add(&desk, wish),
        CastRequest::Update { id, wish } => update(&desk, id, wish),
    }
}

/// The name that a wish is, without a description.
fn bare_name(wish: &str) -> Option<String> {
    // A full stop makes a description of it, of which only the name is told.
    let name = leading_name(&format!("{}。", wish.trim()))?;
    let is_familiar = name.starts_with(['老', '小', '阿']) && !CALLINGS.contains(&name.as_str());
    (name == wish.trim() && (is_familiar || !is_common(&name))).then_some(name)
}

/// The name with which a description begins.
pub(super) fn leading_name(text: &str) -> Option<String> {
    const NOT_A_NAME: [&str; 14] =
        ["一", "加", "新", "再", "给", "有", "把", "请", "想", "要", "某", "他", "她", "主角"];
    let name = text.trim().split(ENDS).next().unwrap_or_default().trim();
    let length = name.chars().count();
    let fits = (2..=5).contains(&length)
        && name.chars().all(char::is_alphanumeric)
        && name.chars().count() < text.trim().chars().count();
    (fits && !name.contains('的') && !NOT_A_NAME.iter().any(|word| name.starts_with(word))).then(|| name.to_owned())
}

/// The name after `名叫` and its like.
fn called(text: &str) -> Option<String> {
    let after =
        ["名叫", "名为", "名字叫", "叫做", "叫作", "姓名：", "叫"].iter().find_map(|word| text.split_once(word));
    let name: String =
        after?.1.trim_start_matches(['“', '「', ' ']).chars().take_while(|c| is_of_name(*c)).take(4).collect();
    (name.chars().count() >= 2).then_some(name)
}

fn is_of_name(c: char) -> bool {
    (c.is_alphanumeric() || c == '·') && c != '的'
}

/// Names that are taken, and those that are given in this answer.
struct Names {
    taken: Vec<String>,
}

impl Names {
    fn of(desk: &Desk<'_>) -> Self {
        let people = desk.context.characters.iter();
        Self { taken: people.flat_map(|person| person.aliases.iter().chain([&person.display_name])).cloned().collect() }
    }

    fn is_free(&self, name: &str) -> bool {
        !self.taken.iter().any(|taken| taken == name)
    }

    /// A new name with its pronoun, beginning with a character that no other name begins with while there are such names.
    fn invent(&mut self, desk: &Desk<'_>, turn: usize) -> (String, &'static str) {
        let all = pool("plan name");
        let dealt = || (turn..turn + all.len()).filter_map(|at| desk.deal("plan name", at).split_once(' '));
        let apart = |name: &str| !self.taken.iter().any(|taken| taken.chars().next() == name.chars().next());
        let known = dealt().find(|(name, _)| apart(name)).map(|(name, pronoun)| (name.to_owned(), pronoun));
        let mixed = || {
            let pairs = dealt().flat_map(|(first, pronoun)| dealt().map(move |(second, _)| (first, second, pronoun)));
            let mut names = pairs.map(|(first, second, pronoun)| {
                let name: String = first.chars().take(1).chain(second.chars().skip(1)).collect();
                (name, pronoun)
            });
            names.find(|(name, _)| self.is_free(name))
        };
        let chosen = known.or_else(mixed).unwrap_or_else(|| (format!("无名{}", self.taken.len()), "他"));
        self.taken.push(chosen.0.clone());
        chosen
    }
}

/// A person to be described.
struct Sketch<'a> {
    name: &'a str,
    pronoun: &'a str,
    role: &'a str,
    /// The author's words about the person.
    said: &'a str,
}

fn first(desk: &Desk<'_>, protagonist: &str) -> String {
    let mut names = Names { taken: Vec::new() };
    let begins = protagonist.split(ENDS).next().unwrap_or_default().trim();
    let describes = ["一个", "一位", "一名"].iter().any(|word| begins.starts_with(word));
    let given = called(protagonist).filter(|_| describes || begins.chars().count() > 5);
    let given = given.unwrap_or_else(|| if describes { String::new() } else { first_chars(begins, 8) });
    let written = brief::section(&desk.context.brief, "主角");
    let given = if given.chars().any(char::is_alphanumeric) {
        given
    } else {
        written.as_deref().and_then(leading_name).unwrap_or_default()
    };
    let said = Some(without_name(protagonist, &given)).filter(|said| !said.is_empty()).or(written);
    let said = said.unwrap_or_default();
    let said = said.strip_prefix(given.as_str()).unwrap_or(&said).trim_start_matches(ENDS);
    let (hero, pronoun) = if given.is_empty() {
        names.invent(desk, 0)
    } else {
        (given, pronoun_in(protagonist).or_else(|| pronoun_in(said)).unwrap_or("他"))
    };
    names.taken.push(hero.clone());
    names.taken.extend(Names::of(desk).taken);
    let (rival, rival_pronoun) = names.invent(desk, 1);
    let (friend, friend_pronoun) = names.invent(desk, 2);
    let people = [
        Sketch { name: &hero, pronoun, role: "protagonist", said },
        Sketch { name: &rival, pronoun: rival_pronoun, role: "antagonist", said: "" },
        Sketch { name: &friend, pronoun: friend_pronoun, role: "supporting", said: "" },
    ];
    let characters: Vec<Value> = people.iter().enumerate().map(|(turn, sketch)| person(desk, sketch, turn)).collect();
    let relations = [
        relation(&hero, &rival, "对头 >> 要的是同一样东西，又都不肯伤及性命"),
        relation(&friend, &hero, "旧识 >> 多年前共过一次患难，之后再没有提起"),
        relation(&rival, &friend, "债主 >> 欠着一份说不清数目的人情，谁也没有先开口"),
    ];
    json!({"characters": characters, "relationships": relations}).to_string()
}

fn add(desk: &Desk<'_>, wish: &str) -> String {
    let mut names = Names::of(desk);
    let turn = desk.context.characters.len() + seed(&[wish]) as usize % 5;
    let given =
        called(wish).or_else(|| leading_name(wish)).or_else(|| bare_name(wish)).filter(|name| names.is_free(name));
    let (name, pronoun) = match given {
        Some(name) => (name, pronoun_in(wish).unwrap_or("他")),
        None => {
            let (name, pronoun) = names.invent(desk, turn);
            (name, pronoun_in(wish).unwrap_or(pronoun))
        }
    };
    let role = if ["反派", "对手", "仇", "敌"].iter().any(|word| wish.contains(word)) {
        "antagonist"
    } else {
        "supporting"
    };
    let said = without_name(wish, &name);
    let known = desk.context.characters.iter().find(|person| person.role.contains("protagonist"));
    let known = known.or_else(|| desk.context.characters.first());
    let relations: Vec<Value> =
        known.iter().map(|hero| relation(&name, &hero.display_name, desk.deal("plan relation", turn))).collect();
    let sketch = Sketch { name: &name, pronoun, role, said: &said };
    json!({"characters": [person(desk, &sketch, turn)], "relationships": relations}).to_string()
}

fn update(desk: &Desk<'_>, id: &Slug, wish: &str) -> String {
    let wish = one_field(wish);
    let wish = brief::bare(&wish);
    let Some(known) = desk.person(id.as_str()) else {
        let sketch =
            Sketch { name: id.as_str(), pronoun: pronoun_in(wish).unwrap_or("他"), role: "supporting", said: wish };
        return json!({"characters": [person(desk, &sketch, 0)], "relationships": []}).to_string();
    };
    let named = |contract: &CharacterContract| names_id(wish, &contract.id);
    if known.contracts.iter().any(named) {
        return reworded(known, &named);
    }
    let name = &known.display_name;
    let profile = format!("{}\n\n如今有了一桩变化：{wish}。", known.profile.trim_end());
    let mut contracts: Vec<Value> = known.contracts.iter().map(kept).collect();
    let rule = format!("{name}从此的言行要合得上“{}”", first_chars(wish, 40));
    contracts.push(contract("personality", &rule, "大纲里写明又一次转变"));
    let role = if known.role.trim().is_empty() { "supporting" } else { known.role.as_str() };
    let person = json!({
        "name": name, "aliases": known.aliases, "role": role, "profile": profile.trim_start(), "speech": known.speech,
        "contracts": contracts,
    });
    json!({"characters": [person], "relationships": []}).to_string()
}

/// The person as he or she is, with some contracts held against rules that have changed.
fn reworded(known: &Character, named: &dyn Fn(&CharacterContract) -> bool) -> String {
    const ANEW: &str = "，以如今的规则为准";
    let contract = |contract: &CharacterContract| match named(contract) {
        true => {
            let rule = format!("{}{ANEW}", contract.rule.trim_end_matches(ANEW));
            kept(&CharacterContract { rule, ..contract.clone() })
        }
        false => kept(contract),
    };
    let contracts: Vec<Value> = known.contracts.iter().map(contract).collect();
    let person = json!({
        "name": known.display_name, "aliases": known.aliases, "role": known.role, "profile": known.profile,
        "speech": known.speech, "contracts": contracts,
    });
    json!({"characters": [person], "relationships": []}).to_string()
}

/// The words of a wish about the person, without the name.
fn without_name(wish: &str, name: &str) -> String {
    let wish = wish.trim();
    let mut said = wish.strip_prefix(name).unwrap_or(wish).trim_start_matches(ENDS).to_owned();
    // Without a name there is nothing to take out.
    for word in ["名字叫", "名叫", "名为", "叫做", "叫作", "叫"].iter().filter(|_| !name.is_empty()) {
        said = said.replace(&format!("{word}{name}的"), "").replace(&format!("{word}{name}"), "");
    }
    let asking = ["请", "再", "新增", "增加", "加上", "加", "写"];
    while let Some(rest) = asking.iter().find_map(|word| said.strip_prefix(word)) {
        said = rest.to_owned();
    }
    said.trim_matches(ENDS).to_owned()
}

fn pronoun_in(text: &str) -> Option<&'static str> {
    const FEMALE: [&str; 8] = ["她", "女", "姑娘", "夫人", "母亲", "妻", "婆", "娘"];
    FEMALE.iter().any(|word| text.contains(word)).then_some("她")
}

fn person(desk: &Desk<'_>, sketch: &Sketch<'_>, turn: usize) -> Value {
    let Sketch { name, pronoun, role, said } = *sketch;
    let trade = desk.word_aged("plan trade", turn);
    let said = one_field(said);
    let said = brief::bare(&said);
    let opening = if said.is_empty() {
        format!("{name}是{trade}，旁人提起{pronoun}，先说手艺，再摇头。")
    } else {
        format!("{name}，{}。", brief::bare(&first_chars(said, LONGEST)))
    };
    let drive = format!("{pronoun}{}", desk.deal("plan want", turn));
    let parts = [
        opening,
        drive,
        format!("{pronoun}{}", desk.deal("plan lack", turn)),
        format!("{pronoun}{}", desk.deal("plan refuse", turn)),
        desk.deal("plan urgent", turn).to_owned(),
    ];
    let rules = &desk.context.rules;
    let bound = rules.get(turn % rules.len().max(1)).map_or_else(String::new, |rule| format!("（{}）", rule.id));
    let contracts = [
        contract(
            "capability",
            &format!("{name}{}{bound}", desk.deal("plan capability", turn)),
            "大纲里写明学会或失去了这门本事",
        ),
        contract("personality", &format!("{name}{}", desk.deal("plan personality", turn)), "大纲里写明为何破了这个例"),
    ];
    json!({
        "name": name, "aliases": [], "role": role, "profile": parts.concat(), "speech": desk.deal("plan speech", turn),
        "contracts": contracts,
    })
}

fn contract(kind: &str, rule: &str, update_requires: &str) -> Value {
    json!({"type": kind, "rule": rule, "exceptions": [], "update_requires": update_requires})
}

fn kept(contract: &CharacterContract) -> Value {
    json!({
        "type": contract.kind, "rule": contract.rule, "exceptions": contract.exceptions,
        "update_requires": contract.update_requires.as_deref().unwrap_or_default(),
    })
}

fn relation(from: &str, to: &str, pattern: &'static str) -> Value {
    let parts = steps(pattern);
    let (kind, note) = (parts.first().copied().unwrap_or("旧识"), parts.get(1).copied().unwrap_or_default());
    json!({"from": from, "to": to, "type": kind, "note": note})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_where_one_is_given() {
        assert_eq!(leading_name("阿七，卖票的").as_deref(), Some("阿七"));
        assert_eq!(leading_name("一个老捕快，腿有旧伤"), None);
        assert_eq!(leading_name("沈渡"), None, "nothing says that these are not the description");
        assert_eq!(called("加一个名叫周闻笛的女记者").as_deref(), Some("周闻笛"));
        assert_eq!(called("卖票的"), None);
        assert_eq!(without_name("加一个名叫周闻笛的女记者", "周闻笛"), "一个女记者");
        assert_eq!(without_name("阿七，卖票的", "阿七"), "卖票的");
    }
}
