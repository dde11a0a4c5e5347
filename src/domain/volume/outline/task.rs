use crate::domain::Slug;
use crate::domain::volume::foreshadowing::Action;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub action: Action,
    pub id: Slug,
    pub detail: String,
}

/// The action that the first word of a text names, in Chinese or English, and the rest of the text.
pub fn read_action(text: &str) -> Option<(Action, &str)> {
    let words: [(&str, Action); 11] = [
        ("埋设", Action::Planted),
        ("埋下", Action::Planted),
        ("planted", Action::Planted),
        ("plant", Action::Planted),
        ("推进", Action::Advanced),
        ("advanced", Action::Advanced),
        ("advance", Action::Advanced),
        ("回收", Action::Resolved),
        ("resolved", Action::Resolved),
        ("resolve", Action::Resolved),
        ("收束", Action::Resolved),
    ];
    words.iter().find_map(|(word, action)| {
        let (begins, rest) = text.split_at_checked(word.len())?;
        begins.eq_ignore_ascii_case(word).then_some((*action, rest))
    })
}

/// Parses `推进 ancient_prophecy：符文与预言同源；埋设 mirror：…`. Parts without an action and an id are remarks.
pub(super) fn read_tasks(text: &str) -> Vec<Task> {
    let parts = text.split(['；', ';', '\n']);
    parts
        .filter_map(|part| {
            let (action, rest) = read_action(part.trim().trim_start_matches(['-', '*', ' ']))?;
            let rest = rest.trim_start_matches([' ', '　', ':', '：', '`']);
            let id: String = rest
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
                .collect();
            let detail = rest[id.len()..].trim_matches([' ', '　', ':', '：', '`', '。', '（', '）', '(', ')']);
            Some(Task { action, id: Slug::new(&id).ok()?, detail: detail.to_owned() })
        })
        .collect()
}
