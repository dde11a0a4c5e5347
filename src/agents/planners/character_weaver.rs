//! The character weaver: people with profiles, contracts and relationships.

use crate::agents::call::prompt::{PromptOrder, compose};
use crate::agents::context::PromptSection;
use crate::agents::planners::context::{self, CastRequest, PlanningContext};
use crate::agents::prelude::*;
use crate::domain::world::contract::CharacterContract;

/// The most people in one answer.
const MAX_PEOPLE: usize = 6;
const ROLES: [&str; 3] = ["protagonist", "antagonist", "supporting"];

pub(crate) fn prompt(
    context: &PlanningContext,
    request: &CastRequest,
    prompts: &Prompts,
) -> Result<Prompt, PromptError> {
    let order = PromptOrder {
        agent: Agent::CharacterWeaver,
        system: "prompts/character-weaver/system.md",
        user: &["prompts/character-weaver/task.md"],
        context: None,
        sections: &|_| {
            let (wish, request) = (request.wish(), words(context, request));
            context::sections(context, wish)
                .into_iter()
                .chain([context::genre(context), PromptSection::new("request", request)])
                .collect()
        },
        answer: ReplyForm::Json { name: "characters", schema: schema_of::<CastReading>() },
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

#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CastReading {
    #[serde(rename = "characters")]
    #[schemars(description = "人物")]
    pub people: Vec<PersonReading>,
    #[serde(rename = "relationships")]
    #[schemars(description = "人物之间的关系")]
    pub relations: Vec<RelationReading>,
}

// A person described by the agent; the id is not the model's to choose.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "PersonReply")]
pub struct PersonReading {
    #[schemars(description = "正文里用的姓名")]
    pub name: String,
    #[schemars(description = "别的称呼", extend("x-read" = "names"))]
    pub aliases: Vec<String>,
    /// `None` for other answers.
    #[schemars(description = "在书里的位置", with = "String", extend("enum" = ROLES))]
    pub role: Option<String>,
    #[schemars(description = "小传，二百到四百字：想要的、缺的、不肯做的")]
    pub profile: String,
    #[schemars(description = "说话的样子，附一句例子")]
    pub speech: String,
    #[schemars(description = "可以核对的契约，二到四条")]
    pub contracts: Vec<ContractReading>,
}

// A contract in the agent's words. Models are shown doc comments of these types.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "ContractReply")]
pub struct ContractReading {
    #[serde(rename = "type")]
    #[schemars(description = "哪一种", extend("enum" = ["capability", "personality", "relationship"]))]
    pub kind: String,
    #[schemars(description = "一句能核对的话")]
    pub rule: String,
    #[schemars(description = "例外")]
    pub exceptions: Vec<String>,
    /// The event that must happen before the contract may change.
    #[schemars(description = "要改变它，得先发生什么；没有就给空字符串", with = "String")]
    pub update_requires: Option<String>,
}

// A relationship by the agent's names.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "RelationReply")]
pub struct RelationReading {
    #[schemars(description = "谁")]
    pub from: String,
    #[schemars(description = "对谁")]
    pub to: String,
    #[serde(rename = "type")]
    #[schemars(description = "什么关系")]
    pub kind: String,
    #[schemars(description = "一句话")]
    pub note: String,
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

pub fn read(reply: &str) -> Result<CastReading, ReplyFault> {
    let mut cast: CastReading = read_as(reply)?;
    cast.people.retain(|person| !person.name.is_empty() && !person.profile.is_empty());
    cast.people.truncate(MAX_PEOPLE);
    for person in &mut cast.people {
        let role = person.role.take().map(|role| role.to_ascii_lowercase());
        person.role = role.filter(|role| ROLES.contains(&role.as_str()));
        person.contracts.retain(|contract| !contract.rule.is_empty());
        for contract in &mut person.contracts {
            contract.update_requires = contract.update_requires.take().filter(|event| !event.is_empty());
            if contract.kind.is_empty() {
                "personality".clone_into(&mut contract.kind);
            }
        }
    }
    cast.relations.retain(|relation| !relation.from.is_empty() && !relation.to.is_empty());
    match cast.people.is_empty() {
        true => Err(ReplyFault::Field { field: "characters", wanted: FieldKind::People }),
        false => Ok(cast),
    }
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
