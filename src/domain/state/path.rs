use super::{Category, Refusal};
use crate::domain::Slug;
use std::fmt;
use std::str::FromStr;

/// The place of an operation in the state: a category and one to three keys below.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StatePath {
    category: Category,
    keys: Vec<Slug>,
}

impl StatePath {
    pub fn category(&self) -> Category {
        self.category
    }

    /// One to three keys below the category.
    pub fn keys(&self) -> &[Slug] {
        &self.keys
    }

    /// The number of segments with the category: 2 to 4.
    pub fn depth(&self) -> usize {
        self.keys.len() + 1
    }

    /// True for the path of a relationship between two people.
    pub fn is_relationship(&self) -> bool {
        self.category == Category::Characters && self.keys.len() == 3 && self.keys[1].as_str() == "relationships"
    }
}

impl fmt::Display for StatePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.category)?;
        self.keys.iter().try_for_each(|key| write!(f, ".{key}"))
    }
}

impl FromStr for StatePath {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let segments: Vec<&str> = text.trim().split('.').collect();
        if !(2..=4).contains(&segments.len()) {
            return Err(Refusal::Depth { path: text.to_owned(), depth: segments.len() });
        }
        let category = segments[0].parse().map_err(|_| Refusal::Category { path: text.to_owned() })?;
        let keys = segments[1..].iter().map(|key| Slug::new(key)).collect::<Result<_, _>>();
        let keys = keys.map_err(|_| Refusal::Key { path: text.to_owned() })?;
        Ok(Self { category, keys })
    }
}
