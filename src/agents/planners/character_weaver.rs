//! The character weaver: people with profiles, contracts and relationships.

use super::context::{self, CastRequest, PlanningContext};
use crate::agents::call::prompt::{Answer, Order, Prompt, compose};
use crate::agents::call::prompt_files::{PromptError, Prompts};
use crate::agents::call::reply::{
    FieldKind, ReplyFault, items, lenient, list, name_list, read_json, schema_of, text_field, text_list,
};
use crate::agents::context::{Section, bullets};
use crate::domain::book::config::Agent;
use crate::domain::world::contract::CharacterContract;
use schemars::JsonSchema;
use serde_json::Value;

/// The most people in one answer.
const MAX_PEOPLE: usize = 6;
const ROLES: [&str; 3] = ["protagonist", "antagonist", "supporting"];

pub(crate) fn prompt(
    context: &PlanningContext,
    request: &CastRequest,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let order = Order {
        agent: Agent::CharacterWeaver,
        system: "prompts/character-weaver/system.md",
        user: &["prompts/character-weaver/task.md"],
        context: None,
        sections: &|_| {
            let (wish, request) = (request.wish(), words(context, request));
            context::sections(context, wish)
                .into_iter()
                .chain([context::genre(context), Section::new("request", request)])
                .collect()
        },
        answer: Answer::Json { name: "characters", schema: schema_of::<CastReply>() },
        max_output_tokens: 5000,
    };
    compose(order, prompts)
}

fn words(context: &PlanningContext, request: &CastRequest) -> String {
    match request {
        CastRequest::First { protagonist } => {
            let known =
                if protagonist.trim().is_empty() { "由你来定".to_owned() } else { protagonist.trim().to_owned() };
            format!(
                "新书开篇：写主角和一到两个配角，以及他们之间的关系。主角：{known}。配角里至少一个和主角要的东西相冲突。"
            )
        }
        CastRequest::Add { wish } => format!("新增一个人物，别人不动：{wish}"),
        CastRequest::Update { id, wish } => {
            let known = context.characters.iter().find(|person| person.id == *id);
            let now = known.map(|person| {
                format!(
                    "现在的小传：{}\n位置：{}\n说话：{}\n契约：\n{}",
                    person.profile,
                    person.role,
                    person.speech,
                    bullets(person.contracts.iter().map(contract_line))
                )
            });
            let name = known.map_or(id.as_str(), |person| person.display_name.as_str());
            format!("更新{name}一人，名单里只写他：{wish}\n\n{}", now.unwrap_or_default())
        }
    }
}

/// A contract with all fields that an answer has to repeat.
fn contract_line(contract: &CharacterContract) -> String {
    let CharacterContract { kind, rule, exceptions, update_requires, .. } = contract;
    let mut line = format!("{kind}：{rule}");
    if !exceptions.is_empty() {
        line.push_str(&format!("｜例外：{}", exceptions.join("；")));
    }
    if let Some(requires) = update_requires {
        line.push_str(&format!("｜改变它之前要先：{requires}"));
    }
    line
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes the reply; `read` takes its parts one by one to keep what is usable")]
struct CastReply {
    #[schemars(description = "人物")]
    characters: Vec<PersonReply>,
    #[schemars(description = "人物之间的关系")]
    relationships: Vec<RelationReply>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a person")]
struct PersonReply {
    #[schemars(description = "正文里用的姓名")]
    name: String,
    #[schemars(description = "别的称呼")]
    aliases: Vec<String>,
    #[schemars(description = "在书里的位置", extend("enum" = ROLES))]
    role: String,
    #[schemars(description = "小传，二百到四百字：想要的、缺的、不肯做的")]
    profile: String,
    #[schemars(description = "说话的样子，附一句例子")]
    speech: String,
    #[schemars(description = "可以核对的契约，二到四条")]
    contracts: Vec<ContractReply>,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "describes a contract")]
struct ContractReply {
    #[serde(rename = "type")]
    #[schemars(description = "哪一种", extend("enum" = ["capability", "personality", "relationship"]))]
    kind: String,
    #[schemars(description = "一句能核对的话")]
    rule: String,
    #[schemars(description = "例外")]
    exceptions: Vec<String>,
    #[schemars(description = "要改变它，得先发生什么；没有就给空字符串")]
    update_requires: String,
}

#[derive(serde::Deserialize, JsonSchema)]
struct RelationReply {
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "谁")]
    from: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "对谁")]
    to: String,
    #[serde(rename = "type", default, deserialize_with = "lenient")]
    #[schemars(description = "什么关系")]
    kind: String,
    #[serde(default, deserialize_with = "lenient")]
    #[schemars(description = "一句话")]
    note: String,
}

/// A person described by the agent; the id is not the model's to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PersonReading {
    pub name: String,
    pub aliases: Vec<String>,
    /// `protagonist`, `antagonist` or `supporting`; `None` for other answers.
    pub role: Option<String>,
    pub profile: String,
    /// How the person speaks.
    pub speech: String,
    /// Kind, rule, exceptions, and the event required before a change.
    pub contracts: Vec<ContractReading>,
}

/// A contract in the agent's words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContractReading {
    /// `capability`, `personality`, `relationship`.
    pub kind: String,
    pub rule: String,
    /// Cases in which it does not hold.
    pub exceptions: Vec<String>,
    /// The event that must happen before it may change.
    pub update_requires: Option<String>,
}

impl ContractReading {
    /// The reading of an existing contract. While its rule stays, empty fields of the answer stay too.
    pub fn of_known(&self, known: &CharacterContract) -> Self {
        let mut reading = self.clone();
        if reading.rule == known.rule {
            if reading.exceptions.is_empty() {
                reading.exceptions.clone_from(&known.exceptions);
            }
            reading.update_requires = reading.update_requires.or_else(|| known.update_requires.clone());
        }
        reading
    }
}

/// A relationship by the agent's names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RelationReading {
    pub from: String,
    pub to: String,
    pub kind: String,
    /// In a sentence.
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CastReading {
    pub people: Vec<PersonReading>,
    pub relations: Vec<RelationReading>,
}

pub fn read(reply: &str) -> Result<CastReading, ReplyFault> {
    let value = read_json(reply)?;
    let people = list(&value, "characters").iter().filter_map(person);
    let people: Vec<PersonReading> = people.take(MAX_PEOPLE).collect();
    if people.is_empty() {
        return Err(ReplyFault::Field { field: "characters", wanted: FieldKind::People });
    }
    let relations = items::<RelationReply>(&value, "relationships").into_iter();
    let relations = relations.filter(|r| !r.from.is_empty() && !r.to.is_empty()).map(|r| RelationReading {
        from: r.from,
        to: r.to,
        kind: r.kind,
        note: r.note,
    });
    Ok(CastReading { people, relations: relations.collect() })
}

fn person(value: &Value) -> Option<PersonReading> {
    let contract = |value: &Value| {
        Some(ContractReading {
            kind: text_field(value, "type").unwrap_or_else(|| "personality".to_owned()),
            rule: text_field(value, "rule")?,
            exceptions: text_list(value, "exceptions"),
            update_requires: text_field(value, "update_requires"),
        })
    };
    let role = text_field(value, "role").map(|role| role.to_ascii_lowercase());
    Some(PersonReading {
        name: text_field(value, "name")?,
        aliases: name_list(value, "aliases"),
        role: role.filter(|role| ROLES.contains(&role.as_str())),
        profile: text_field(value, "profile")?,
        speech: text_field(value, "speech").unwrap_or_default(),
        contracts: list(value, "contracts").iter().filter_map(contract).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_need_a_name_and_a_profile_and_the_rest_is_forgiven() {
        let reply = r#"{"characters": [{"name": "沈渡", "role": "主角", "profile": "摆渡人", "contracts": [{"rule": "不会水"}, {"type": "x"}]},
            {"name": "无名"}], "relationships": [{"from": "沈渡", "to": "阿七", "type": "师徒"}, {"from": "", "to": "x"}]}"#;
        let cast = read(reply).unwrap();
        assert_eq!(cast.people.len(), 1);
        assert_eq!((&cast.people[0].role, cast.people[0].contracts.len()), (&None, 1));
        assert_eq!(cast.relations.len(), 1);
        assert!(read(r#"{"characters": [{"name": "无名"}]}"#).is_err());
        let one = r#"{"characters": {"name": "沈渡", "role": "Antagonist", "profile": "摆渡人", "aliases": "阿渡、渡爷",
            "contracts": {"rule": "不会水", "exceptions": "为母亲下过一次水，没有死；醉了"}}}"#;
        let [person] = &read(one).unwrap().people[..] else { panic!("one person") };
        assert_eq!(
            (person.role.as_deref(), &person.aliases[..]),
            (Some("antagonist"), &["阿渡".into(), "渡爷".into()][..])
        );
        assert_eq!(person.contracts[0].exceptions, ["为母亲下过一次水，没有死", "醉了"]);
    }

    #[test]
    fn a_contract_keeps_what_an_answer_says_nothing_of_and_what_is_shown_of_it_is_all() {
        let known = CharacterContract {
            id: "C-SHENDU-001".into(),
            kind: "capability".into(),
            rule: "不会水".into(),
            exceptions: vec!["退潮时".into()],
            valid_from: 1,
            valid_until: None,
            update_requires: Some("有人教他".into()),
        };
        assert_eq!(contract_line(&known), "capability：不会水｜例外：退潮时｜改变它之前要先：有人教他");
        let said = |rule: &str| ContractReading { kind: "capability".into(), rule: rule.into(), ..Default::default() };
        let kept = said("不会水").of_known(&known);
        assert_eq!((&kept.exceptions, &kept.update_requires), (&known.exceptions, &known.update_requires));
        let other = said("会水");
        assert_eq!(other.of_known(&known), other, "another rule has exceptions of its own");
        let own = ContractReading { exceptions: vec!["涨潮时".into()], ..said("不会水") };
        assert_eq!(own.of_known(&known).exceptions, ["涨潮时"]);
    }
}
