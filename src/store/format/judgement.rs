//! `volumes/vol-01/progress.json`: a review's judgement of the book's progress, for programs.

use super::FormatError;
use super::json::{self, Disk};
use crate::domain::volume::ending::Judgement;

impl Disk for Judgement {}

pub fn read(bytes: &[u8]) -> Result<Judgement, FormatError> {
    json::read(bytes)
}

pub fn write(judgement: &Judgement, previous: Option<&[u8]>) -> Vec<u8> {
    json::write(judgement, previous)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::volume::ending::Recommendation;
    use crate::store::format::samples;
    use proptest::prelude::*;

    #[test]
    fn a_judgement_names_entries_of_the_state() {
        let text = r#"{"volume": 2, "evaluation_result": "wrap_up", "note": "作者看过",
            "cleanup": [{"path": "items.船票.旧", "reason": "forgotten"}]}"#;
        let judged = read(text.as_bytes()).unwrap();
        assert_eq!(
            (judged.course, judged.leftovers[0].to_string().as_str()),
            (Recommendation::WrapUp, "items.船票.旧")
        );
        let written = String::from_utf8(write(&Judgement { closing: true, ..judged }, Some(text.as_bytes()))).unwrap();
        assert!(written.contains("作者看过"), "{written}");
        for wrong in [("wrap_up", "later"), ("items.船票", "船票"), ("items.船票.旧", "items"), ("forgotten", "old")]
        {
            assert!(read(text.replace(wrong.0, wrong.1).as_bytes()).is_err(), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn any_judgement_survives(judgement in samples::judgement()) {
            samples::survives(&judgement, read, write, &[])?;
        }
    }
}
