//! People: what they want, lack and refuse, how they speak, and how they stand to each other.

use super::super::phrases::{clip, phrase};
use super::Desk;
use crate::agents::planners::context::{CastRequest, PlanningContext};
use crate::domain::world::character::Character;
use crate::domain::world::contract::{CharacterContract, names_id};
use crate::text::is_common;
use serde_json::{Value, json};

/// The characters that end a name at the beginning of a description.
const ENDS: [char; 14] = ['，', ',', '：', ':', '（', '(', '、', '；', '。', '\n', '！', '？', '—', ' '];

/// The first people of a book, one more, or one changed.
pub(crate) fn cast(context: &PlanningContext, request: &CastRequest) -> String {
    let desk = Desk::new(context);
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
fn invent(desk: &Desk<'_>, taken: &[String], turn: usize) -> (String, &'static str) {
    let all = desk.stock.shuffled("plan name");
    let all = (turn..turn + all.len()).filter_map(|at| all[at % all.len()].split_once(' '));
    let free: Vec<(&str, &str)> = all.filter(|(name, _)| !taken.iter().any(|taken| taken == name)).collect();
    let alone = |(name, _): &&(&str, &str)| !taken.iter().any(|taken| taken.chars().next() == name.chars().next());
    let found = free.iter().find(alone).or(free.first());
    found.map_or_else(|| (format!("无名{}", taken.len()), "他"), |(name, pronoun)| ((*name).to_owned(), pronoun))
}

fn person(desk: &Desk<'_>, (name, pronoun): &(String, &str), role: &str, said: &str, turn: usize) -> Value {
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
