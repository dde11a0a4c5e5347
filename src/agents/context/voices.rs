//! Instructions for the writer to change how the people of a chapter speak.

use super::{Extent, bullets};
use crate::agents::prelude::*;
use crate::domain::voice::{TicKind, VoiceNote};

const MOST: usize = 4;
/// The most characters of a person's habits of speech.
const SPEECH: usize = 30;

/// A line per note, those on two people first: telling two people apart takes more than leaving a word out. A prompt
/// that is too large loses the notes together with worn-out patterns.
pub(crate) fn voices(context: &ChapterContext, extent: &Extent) -> String {
    let (alike, tics): (Vec<&VoiceNote>, Vec<&VoiceNote>) =
        context.voices.iter().partition(|note| matches!(note, VoiceNote::Alike { .. }));
    bullets(alike.into_iter().chain(tics).take(MOST.min(extent.worn)).map(|note| line(context, note)))
}

fn line(context: &ChapterContext, note: &VoiceNote) -> String {
    match note {
        VoiceNote::Alike { people: (one, other) } => {
            let (first, second) = (name(context, one), name(context, other));
            format!(
                "{first}和{second}近来口吻分不开，盖住名字认不出是谁：这一章{}，{}，句子长短、问法和语气词各走各的",
                manner(context, one),
                manner(context, other)
            )
        }
        VoiceNote::Tic { person, words, kind, times, lines } => {
            let name = name(context, person);
            let often = format!("近来 {lines} 句里有 {times} 句");
            match kind {
                TicKind::Phrase => format!("{name}{often}带“{words}”：这一章至多一次，换成别的说法或手上的动作"),
                TicKind::Opening => format!("{name}{often}以“{words}”起头：这一章至多一次，直接说事"),
                TicKind::Particle => format!("{name}{often}以“{words}”收尾：这一章大半句子不带它"),
            }
        }
    }
}

fn name<'a>(context: &'a ChapterContext, id: &'a Slug) -> &'a str {
    let person = context.characters.iter().find(|person| person.id == *id);
    person.map_or(id.as_str(), |person| person.display_name.as_str())
}

/// `林枫按“先说石头，答非所问”来说`
fn manner(context: &ChapterContext, id: &Slug) -> String {
    let name = name(context, id);
    let person = context.characters.iter().find(|person| person.id == *id);
    match person.map(|person| person.speech.trim()).filter(|speech| !speech.is_empty()) {
        Some(speech) => format!("{name}按“{}”来说", clip_line(speech, SPEECH)),
        None => format!("给{name}定一种自己的说法"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::calibration::specimens;
    use crate::domain::book::config::BookConfig;

    #[test]
    fn each_note_is_an_instruction_and_there_are_few() {
        let mut context = specimens(&BookConfig::default()).swap_remove(0).context;
        let slug = |id: &str| Slug::new(id).unwrap();
        assert_eq!(voices(&context, &Extent::default()), "");
        let tic = |words: &str, kind| VoiceNote::Tic {
            person: slug("qingwen"),
            words: words.into(),
            kind,
            times: 12,
            lines: 60,
        };
        context.voices = vec![
            tic("蝎蝎螫螫", TicKind::Phrase),
            tic("哼", TicKind::Opening),
            tic("呢", TicKind::Particle),
            VoiceNote::Alike { people: (slug("qingwen"), slug("sheyue")) },
            tic("多余的", TicKind::Phrase),
        ];
        let told = voices(&context, &Extent::default());
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), MOST, "{told}");
        assert!(lines[0].contains("晴雯和麝月") && lines[0].contains("麝月按“稳当，就事论事”来说"), "{told}");
        assert!(lines[1].contains("晴雯近来 60 句里有 12 句带“蝎蝎螫螫”"), "{told}");
        assert!(lines[2].contains("以“哼”起头") && lines[3].contains("以“呢”收尾"), "{told}");
        assert_eq!(voices(&context, &Extent { worn: 0, ..Extent::default() }), "");
    }
}
