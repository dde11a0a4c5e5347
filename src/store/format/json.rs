//! Common parts of the JSON formats: versions, errors with their place, and rewrites that keep unchanged parts.

use crate::store::format::{At, ExpectedValue, FormatError, Mistake, Problem, conflict, mistake, text};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A structure that is a JSON file of the book.
pub trait Disk: Serialize + DeserializeOwned {
    /// The newest `schema_version` that this program reads and writes.
    const NEWEST: u32 = 1;

    /// Reads parts that stand flat in the file on their own, since serde tells no place of a mistake in a flattened part.
    fn read_parts(_text: &str) -> serde_json::Result<()> {
        Ok(())
    }

    /// Adds the fields for people who open the file, which are never read back.
    fn add_sums(&self, _fields: &mut Map<String, Value>) {}
}

const VERSION: &str = "schema_version";

/// Reads a file after checking its version.
pub fn read<D: Disk>(bytes: &[u8]) -> Result<D, FormatError> {
    let text = text(bytes)?;
    match serde_json::from_str::<VersionField>(&text) {
        Ok(document) => check_version(document.schema_version.as_ref(), D::NEWEST)?,
        Err(_) => check_version(value(&text)?.get(VERSION), D::NEWEST)?,
    }
    D::read_parts(&text).map_err(|error| mistake::of_json(&error))?;
    parse(&text)
}

/// Reads a structure without a version.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, FormatError> {
    serde_json::from_str(text).map_err(|error| mistake::of_json(&error))
}

#[derive(Deserialize)]
struct VersionField {
    schema_version: Option<Value>,
}

/// The refusal of a document of a later program; `None` for any other, and for an unreadable one.
pub(super) fn newer(text: &str, known: u32) -> Option<FormatError> {
    let document: VersionField = serde_json::from_str(text).ok()?;
    let error = check_version(document.schema_version.as_ref(), known).err()?;
    matches!(error.problem, Problem::Newer { .. }).then_some(error)
}

/// Any JSON document, with the place of a mistake.
pub(super) fn value(text: &str) -> Result<Value, FormatError> {
    serde_json::from_str(text).map_err(|error| conflict(text).unwrap_or_else(|| mistake::of_json(&error)))
}

pub(super) fn check_version(version: Option<&Value>, newest: u32) -> Result<(), FormatError> {
    let at = At::Key(VERSION.into());
    match version {
        None => Ok(()),
        Some(version) => match version.as_u64() {
            Some(found) if found > u64::from(newest) => {
                Err(FormatError { at, problem: Problem::Newer { found, known: newest } })
            }
            Some(1..) => Ok(()),
            _ => Err(FormatError { at, problem: Problem::Value(Mistake::Wanted(ExpectedValue::Version)) }),
        },
    }
}

pub(super) fn is_older(document: &Value, newest: u32) -> bool {
    document.get(VERSION).and_then(Value::as_u64).is_some_and(|version| version < u64::from(newest))
}

/// The structure in one line, without its version and a line break.
pub(super) fn line<T: Serialize>(structure: &T) -> String {
    serde_json::to_string(structure).unwrap_or_default()
}

/// Writes a file. Fields of `previous` beyond the structure survive, and so does the notation of unchanged values;
/// without a change, `previous` keeps its layout. An unreadable `previous` is overwritten, as the caller has decided.
pub fn write<D: Disk>(disk: &D, previous: Option<&[u8]>) -> Vec<u8> {
    let mut new = to_value(disk);
    let mut sums = Map::new();
    disk.add_sums(&mut sums);
    let before = previous.and_then(|bytes| {
        let text = text(bytes).ok()?;
        let raw = value(&text).ok()?;
        let mut old = to_value(&serde_json::from_value::<D>(raw.clone()).ok()?);
        if let Value::Object(fields) = &mut old {
            fields.extend(sums.keys().filter_map(|name| Some((name.clone(), raw.get(name)?.clone()))));
        }
        Some((text, raw, old))
    });
    if let Value::Object(fields) = &mut new {
        fields.extend(sums);
    }
    let mut document = match before {
        Some((text, raw, old)) if old == new && !is_older(&raw, D::NEWEST) => {
            return format!("{}\n", text.trim_end()).into_bytes();
        }
        Some((_, raw, old)) => merge(&raw, &old, new),
        None => new,
    };
    let older = is_older(&document, D::NEWEST);
    if let Value::Object(fields) = &mut document {
        match fields.get_mut(VERSION) {
            Some(version) if older => *version = D::NEWEST.into(),
            Some(_) => {}
            None => {
                fields.shift_insert(0, VERSION.to_owned(), D::NEWEST.into());
            }
        }
    }
    print(&document)
}

/// Two spaces of indentation and a final newline.
pub(super) fn print(document: &Value) -> Vec<u8> {
    let mut bytes = format!("{document:#}").into_bytes();
    bytes.push(b'\n');
    bytes
}

fn to_value<D: Serialize>(disk: &D) -> Value {
    // Only a map with non-string keys could fail, and no structure of ours has one.
    serde_json::to_value(disk).unwrap_or_default()
}

/// Merges three documents: `raw` as the author left it, `old` as parsed, `new` as wanted. Parts equal in `old` and
/// `new` stay as in `raw`; parts of `raw` that `old` lacks are the author's and stay.
fn merge(raw: &Value, old: &Value, new: Value) -> Value {
    if *old == new {
        return raw.clone();
    }
    match (raw, old, new) {
        (Value::Object(raw), Value::Object(old), Value::Object(new)) => Value::Object(merge_fields(raw, old, new)),
        (Value::Array(raw), Value::Array(old), Value::Array(new)) if raw.len() == old.len() => {
            Value::Array(merge_entries(raw, old, new))
        }
        (_, _, new) => new,
    }
}

fn merge_fields(raw: &Map<String, Value>, old: &Map<String, Value>, mut new: Map<String, Value>) -> Map<String, Value> {
    let mut fields = Map::new();
    for (key, was) in raw {
        let field = match (old.get(key), new.shift_remove(key)) {
            (Some(old), Some(new)) => merge(was, old, new),
            (None, Some(new)) => new,
            (Some(_), None) => continue,
            (None, None) => was.clone(),
        };
        fields.insert(key.clone(), field);
    }
    fields.extend(new);
    fields
}

fn merge_entries(raw: &[Value], old: &[Value], new: Vec<Value>) -> Vec<Value> {
    let mut taken = vec![false; old.len()];
    let merged = new.into_iter().enumerate().map(|(at, entry)| {
        let id = identity(&entry);
        let same = |(index, was): &(usize, &Value)| {
            !taken[*index] && if id.is_some() { identity(was) == id } else { **was == entry }
        };
        let by_place = || (id.is_none() && entry.is_object() && taken.get(at) == Some(&false)).then_some(at);
        match old.iter().enumerate().find(same).map(|(index, _)| index).or_else(by_place) {
            Some(index) => {
                taken[index] = true;
                merge(&raw[index], &old[index], entry)
            }
            None => entry,
        }
    });
    merged.collect()
}

/// The fields that identify a list entry across a rewrite.
fn identity(entry: &Value) -> Option<Vec<&Value>> {
    const IDENTITIES: [&[&str]; 5] =
        [&["id"], &["storyline_id"], &["from", "to"], &["chapter", "action"], &["category"]];
    IDENTITIES.iter().find_map(|keys| keys.iter().map(|key| entry.get(key)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    struct Shelf {
        name: String,
        books: Vec<Book>,
    }

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    struct Book {
        id: String,
        pages: f64,
    }

    impl Disk for Shelf {}

    fn book(id: &str, pages: f64) -> Book {
        Book { id: id.into(), pages }
    }

    #[test]
    fn the_author_s_own_fields_follow_their_entry() {
        let raw = r#"{"note":"我的","books":[{"id":"a","pages":3,"lent":"阿七"},{"id":"b","pages":4.0,"x":null}],"name":"旧"}"#;
        let shelf = Shelf { name: "新".into(), books: vec![book("c", 1.5), book("b", 4.0), book("a", 9.5)] };
        let written = write(&shelf, Some(raw.as_bytes()));
        let expected = json!({
            "schema_version": 1,
            "note": "我的",
            "books": [{"id": "c", "pages": 1.5}, {"id": "b", "pages": 4.0, "x": null}, {"id": "a", "pages": 9.5, "lent": "阿七"}],
            "name": "新",
        });
        assert_eq!(String::from_utf8(written).unwrap(), format!("{expected:#}\n"));
    }

    #[derive(Debug, Serialize, Deserialize, PartialEq)]
    struct Later {
        name: String,
    }

    impl Disk for Later {
        const NEWEST: u32 = 2;
    }

    #[test]
    fn a_rewrite_brings_an_older_file_to_the_present_version() {
        let raw = "{\"schema_version\": 1, \"note\": 3.0, \"name\": \"甲\"}";
        let same: Later = read(raw.as_bytes()).unwrap();
        let written = String::from_utf8(write(&same, Some(raw.as_bytes()))).unwrap();
        assert!(written.contains("\"schema_version\": 2") && written.contains("\"note\": 3.0"), "{written}");
        assert_eq!(write(&same, Some(written.as_bytes())), written.as_bytes());
        assert!(read::<Later>(b"{\"schema_version\": 3, \"name\": \"\"}").is_err());
    }

    #[test]
    fn nothing_changes_where_nothing_changed() {
        let raw = "{\"name\": \"甲\",   \"books\": [{\"id\": \"a\", \"pages\": 3.0}]}\n";
        let shelf: Shelf = read(raw.as_bytes()).unwrap();
        assert_eq!(write(&shelf, Some(raw.as_bytes())), raw.as_bytes());
        assert!(write(&shelf, Some(b"{")).starts_with(b"{\n  \"schema_version\": 1,"));
    }

    #[test]
    fn mistakes_have_a_place() {
        let problem = |text: &str| read::<Shelf>(text.as_bytes()).unwrap_err();
        assert_eq!(problem("{\n  \"name\": 3,\n  \"books\": []\n}").at, At::Position(2, 11));
        assert_eq!(problem("{\n  \"name\": \"a\"\n").at.line(), Some(3));
        let newer = problem(r#"{"schema_version": 7, "name": []}"#);
        assert_eq!(newer.problem, Problem::Newer { found: 7, known: 1 });
        assert_eq!(problem("{\n<<<<<<< HEAD\n}").at, At::Line(2));
        assert_eq!(problem(r#"{"schema_version": "一"}"#).at, At::Key("schema_version".into()));
        assert_eq!(read::<Shelf>(b"{\"name\"\n:\"\xff\"}").unwrap_err().problem, Problem::NotText);
        let windows = "\u{feff}{\r\n\"name\": \"a\",\r\n\"books\": []\r\n}\r\n";
        assert_eq!(read::<Shelf>(windows.as_bytes()), Ok(Shelf { name: "a".into(), books: vec![] }));
    }
}
