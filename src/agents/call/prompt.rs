use super::placeholders::fill;
use super::prompt_files::hash_of;
use crate::agents::context::measure::{chars, estimate_tokens};
use crate::agents::context::{Breakdown, Entry, Extent, Section, fit};
use crate::agents::prelude::*;

#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    pub agent: Agent,
    /// Role, goal, constraints and format, equal for all chapters of a book.
    pub system: String,
    /// The user's message, slow-changing parts first.
    pub parts: Vec<PromptPart>,
    pub answer: Answer,
    /// The sizes of the pieces, and the cuts.
    pub breakdown: Breakdown,
    /// Sixteen hexadecimal digits that identify the prompt files, for the commit's trailer.
    pub prompt_hash: String,
    /// For the judge, the ids of the rules that the answer has to cover.
    pub asked: Vec<String>,
    /// The most tokens of the answer, thinking excluded.
    pub max_output_tokens: u32,
}

/// A part of the user's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptPart {
    /// The name and the index of the source text: `context-1`.
    pub name: String,
    /// The text, ending with a newline.
    pub text: String,
    /// True when the provider should cache everything up to here.
    pub cache: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Prose,
    Json { name: &'static str, schema: Value },
}

impl Prompt {
    /// Everything that is sent, in the order of a provider's prefix cache.
    pub fn full_text(&self) -> String {
        let parts = self.parts.iter().map(|part| part.text.as_str());
        std::iter::once(self.system.as_str()).chain(parts).collect::<Vec<_>>().join("\n")
    }
}

/// An agent's request for a prompt.
pub(crate) struct Order<'a> {
    pub(crate) agent: Agent,
    pub(crate) system: &'static str,
    pub(crate) user: &'a [&'static str],
    /// The chapter whose limit holds; `None` for tasks without a book.
    pub(crate) context: Option<&'a ChapterContext>,
    /// The values of the placeholders to the given extent.
    pub(crate) sections: &'a dyn Fn(&Extent) -> Vec<Section>,
    pub(crate) answer: Answer,
    pub(crate) max_output_tokens: u32,
}

/// Fits the sections into the limit and fills the texts.
pub(crate) fn compose(order: Order, prompts: &Prompts) -> Result<Prompt, PromptError> {
    let mut files = vec![prompts.text(order.system)];
    files.extend(order.user.iter().map(|path| prompts.text(path)));
    let fixed: u32 = files.iter().map(|(_, text)| estimate_tokens(text)).sum();
    let limit = order.context.map(|context| limit_of(context).min(prompts.most.unwrap_or(u32::MAX)));
    let (sections, cuts) = fit(limit, fixed, order.sections);
    let variables: Vec<(&str, &str)> = sections.iter().map(|section| (section.name, section.text.as_str())).collect();
    let filled = fill(&files, &variables)?;

    let mut texts = filled.files.into_iter();
    let system = texts.next().unwrap_or_default().into_iter().map(|part| part.text).collect::<Vec<_>>().join("\n");
    let mut parts = Vec::new();
    for (path, pieces) in order.user.iter().zip(texts) {
        let stem = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
        parts.extend(pieces.into_iter().enumerate().map(|(index, piece)| PromptPart {
            name: format!("{stem}-{}", index + 1),
            text: piece.text,
            cache: piece.cache,
        }));
    }

    let of = |section: &Section| Entry { name: section.name.to_owned(), tokens: section.tokens, chars: section.chars };
    let used: Vec<Entry> = filled.order.iter().map(|&index| of(&sections[index])).collect();
    let total = parts.iter().map(|part| part.text.as_str()).chain([system.as_str()]);
    let (all_chars, all_tokens) =
        total.fold((0, 0), |(length, tokens), text| (length + chars(text), tokens + estimate_tokens(text)));
    // A variable that an author uses twice counts once here, and otherwise as instructions.
    let instructions = Entry {
        name: "instructions".into(),
        tokens: all_tokens.saturating_sub(used.iter().map(|entry| entry.tokens).sum()),
        chars: all_chars.saturating_sub(used.iter().map(|entry| entry.chars).sum()),
    };
    let entries = std::iter::once(instructions).chain(used).collect();
    Ok(Prompt {
        agent: order.agent,
        system,
        parts,
        answer: order.answer,
        breakdown: Breakdown { entries, cuts, limit },
        prompt_hash: hash_of(&files),
        asked: Vec::new(),
        max_output_tokens: order.max_output_tokens,
    })
}

/// The limit of the chapter's prompts, in estimated tokens (row R23).
fn limit_of(context: &ChapterContext) -> u32 {
    match context.convergence() {
        Some(_) => context.config.convergence_context_tokens,
        None => context.config.context_tokens,
    }
}
