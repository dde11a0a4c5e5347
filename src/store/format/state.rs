//! `state/current-state.json`: the facts of the story. Keys are sorted all the way down, so that replaying the deltas
//! gives this file byte for byte (`book.md`, property 2), whatever order an author typed them in.

use super::json::{check_version, print, value};
use super::{At, ExpectedValue, FormatError, Mistake, Problem, text};
use crate::domain::state::{Category, State};
use serde_json::{Map, Value};

const NEWEST: u32 = 1;

/// Fails when the file is no JSON object or its versions are no numbers.
pub fn read(bytes: &[u8]) -> Result<State, FormatError> {
    let document = value(&text(bytes)?)?;
    check_version(document.get("schema_version"), NEWEST)?;
    let Value::Object(mut tree) = document else {
        return Err(FormatError::of_file(Problem::Value(Mistake::Wanted(ExpectedValue::Map))));
    };
    tree.shift_remove("schema_version");
    let version = take_count(&mut tree, "state_version")?;
    let last_updated_chapter = take_count(&mut tree, "last_updated_chapter")?;
    for category in Category::ALL {
        let fits = match tree.get(category.as_str()) {
            None => true,
            Some(value) if *category == Category::ActiveForeshadowing => value.is_array(),
            Some(value) => value.is_object(),
        };
        if !fits {
            let is_list = *category == Category::ActiveForeshadowing;
            let problem =
                Problem::Value(Mistake::Wanted(if is_list { ExpectedValue::List } else { ExpectedValue::Map }));
            return Err(FormatError { at: At::Key(category.as_str().into()), problem });
        }
    }
    Ok(State { version, last_updated_chapter, tree })
}

fn take_count(tree: &mut Map<String, Value>, key: &str) -> Result<u32, FormatError> {
    let Some(value) = tree.shift_remove(key) else { return Ok(0) };
    value.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(|| FormatError {
        at: At::Key(key.into()),
        problem: Problem::Value(Mistake::Wanted(ExpectedValue::WholeNumber)),
    })
}

/// Writes the versions, the categories in order, then an author's additions.
pub fn write(state: &State) -> Vec<u8> {
    let mut document = Map::new();
    document.insert("schema_version".into(), NEWEST.into());
    document.insert("state_version".into(), state.version.into());
    document.insert("last_updated_chapter".into(), state.last_updated_chapter.into());
    let known = Category::ALL.iter().map(|category| category.as_str());
    let mut others: Vec<&str> =
        state.tree.keys().map(String::as_str).filter(|key| key.parse::<Category>().is_err()).collect();
    others.sort_unstable();
    for key in known.chain(others) {
        if let Some(value) = state.tree.get(key) {
            document.insert(key.to_owned(), sorted(value));
        }
    }
    print(&Value::Object(document))
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            Value::Object(keys.into_iter().map(|key| (key.clone(), sorted(&map[key]))).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(sorted).collect()),
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::format::samples;
    use proptest::prelude::*;

    const EXAMPLE: &str = r#"{
  "schema_version": 1,
  "state_version": 47,
  "last_updated_chapter": 47,
  "characters": {
    "shen-du": {
      "display_name": "沈渡",
      "inventory": [
        "半张船票"
      ],
      "relationships": {
        "a-qi": 50
      }
    }
  },
  "world_state": {
    "time_marker": "腊月初三"
  },
  "active_foreshadowing": [
    "ferry_ticket"
  ],
  "author_note": "别忘了雨"
}
"#;

    #[test]
    fn the_file_reads_and_writes_the_same_bytes() {
        let state = read(EXAMPLE.as_bytes()).unwrap();
        assert_eq!((state.version, state.display_name(Category::Characters, "shen-du")), (47, "沈渡"));
        assert_eq!(String::from_utf8(write(&state)).unwrap(), EXAMPLE);
        let crlf = format!("\u{feff}{}", EXAMPLE.replace('\n', "\r\n"));
        assert_eq!(read(crlf.as_bytes()), Ok(state));
    }

    #[test]
    fn a_category_of_the_wrong_kind_is_named() {
        assert_eq!(read(br#"{"characters": []}"#).unwrap_err().at, At::Key("characters".into()));
        assert_eq!(read(br#"{"active_foreshadowing": {}}"#).unwrap_err().at, At::Key("active_foreshadowing".into()));
        assert_eq!(read(br#"{"state_version": -1}"#).unwrap_err().at, At::Key("state_version".into()));
        assert!(read(b"[]").is_err());
    }

    proptest! {
        #[test]
        fn any_state_survives_and_the_order_of_insertion_does_not_matter(state in samples::state()) {
            let bytes = write(&state);
            let back = read(&bytes).unwrap();
            prop_assert_eq!(&back, &state);
            prop_assert_eq!(write(&back), bytes.clone());
            let mut reversed = state.clone();
            reversed.tree = state.tree.into_iter().rev().collect();
            prop_assert_eq!(write(&reversed), bytes);
        }
    }
}
