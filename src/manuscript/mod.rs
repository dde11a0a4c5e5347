//! A manuscript: a novel in the files that authors bring and take away. This room knows no book.

pub mod peer;
pub mod read;
pub mod write;

use crate::domain::id::named;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manuscript {
    pub title: Option<String>,
    pub author: Option<String>,
    pub sources: Vec<SourceInfo>,
    pub volumes: Vec<Volume>,
    pub chapters: Vec<SourceChapter>,
    /// Text that is in no chapter.
    pub apart: Vec<Apart>,
    pub doubts: Vec<SourceDoubt>,
}

impl Manuscript {
    /// Puts the headings of chapters without text apart: such a chapter is still to be written.
    fn take_empty_chapters(&mut self) {
        for chapter in std::mem::take(&mut self.chapters) {
            if !chapter.text.is_empty() {
                self.chapters.push(chapter);
                continue;
            }
            let heading = if chapter.heading.is_empty() { chapter.title } else { chapter.heading };
            self.doubts.push(SourceDoubt::new(DoubtKind::NoText, chapter.place, heading.replace('\n', " ")));
            self.apart.push(Apart { kind: ApartKind::EmptyChapter, text: heading, place: chapter.place });
        }
    }
}

/// A file that was read; `encoding` is empty for one that could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceInfo {
    pub name: String,
    pub encoding: &'static str,
    /// The first line with other characters than ASCII, by which the author sees that the encoding is right.
    pub proof: String,
}

/// A volume, from its heading or from numbers that begin again at 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Volume {
    pub number: Option<u32>,
    pub title: String,
    /// The line as it stands in the file; empty for a volume without one.
    pub heading: String,
    pub place: SourcePlace,
}

/// The part that a heading announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub enum PartKind {
    #[default]
    Chapter,
    Prologue,
    Extra,
    Epilogue,
    Afterword,
    /// A word of the author's to the readers, which is no part of the story.
    Notice,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct SourceChapter {
    /// Its place in [`Manuscript::volumes`].
    pub volume: usize,
    /// The number in the file.
    pub number: Option<u32>,
    pub kind: PartKind,
    /// The line or lines as they stand in the file; empty for a text without a heading.
    pub heading: String,
    pub title: String,
    pub text: String,
    pub place: SourcePlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub struct SourcePlace {
    /// The file's place in [`Manuscript::sources`].
    pub source: usize,
    /// The line or paragraph, from 1.
    pub line: usize,
}

/// Text that is in no chapter, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Apart {
    pub kind: ApartKind,
    pub text: String,
    pub place: SourcePlace,
}

named! {
    pub enum ApartKind {
        /// Lines before the first chapter: title, author, blurb.
        Front = "front",
        Contents = "contents",
        Notice = "notice",
        RepeatedHeading = "repeated-heading",
        RepeatedChapter = "repeated-chapter",
        /// Lines of the site that the text was copied from.
        SiteLine = "site-lines",
        EmptyVolume = "empty-volume",
        EmptyChapter = "empty-chapter",
    }
}

/// A guess, or something that the author should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceDoubt {
    pub kind: DoubtKind,
    pub place: SourcePlace,
    /// How many places are meant.
    pub count: usize,
    /// The words in question, or an example.
    pub detail: String,
}

impl SourceDoubt {
    fn new(kind: DoubtKind, place: SourcePlace, detail: impl Into<String>) -> Self {
        Self { kind, place, count: 1, detail: detail.into() }
    }
}

named! {
    pub enum DoubtKind {
        BadBytes = "bad-bytes",
        /// A line in another encoding than the file.
        ForeignLine = "foreign-line",
        Front = "front",
        Contents = "contents",
        Gap = "gap",
        NumberTwice = "number-twice",
        RepeatedHeading = "repeated-heading",
        RepeatedChapter = "repeated-chapter",
        /// A line that begins like a heading and stays text.
        KeptAsText = "kept-as-text",
        /// A heading of another form than the others.
        OtherForm = "other-form",
        Restart = "restart",
        Notice = "notice",
        /// A heading that reads like a notice and whose number the chapters need.
        NoticeKept = "notice-kept",
        EmptyVolume = "empty-volume",
        /// Text between the heading of a volume and its first chapter.
        VolumeText = "volume-text",
        /// Text before the first heading of a file that follows others.
        JoinsBefore = "joins-before",
        /// The title was taken from the line below the number.
        TitleBelow = "title-below",
        NoHeading = "no-heading",
        NoText = "no-text",
        Long = "long",
        /// Lines of a site that can be taken out.
        SiteLines = "site-lines",
        SiteLinesOut = "site-lines-out",
        /// Blanks at the beginning of lines, which are layout.
        Indents = "indents",
        /// Characters that only a certain font shows.
        PrivateUse = "private-use",
        /// Pairs of straight quotation marks, and dots or dashes of ASCII, as pandoc writes them.
        StraightMarks = "straight-marks",
        MarksRestored = "marks-restored",
        /// The paragraphs of a Markdown file were read as CommonMark.
        CommonMark = "common-mark",
        /// Readings beside characters, which stay without them.
        Readings = "readings",
        /// Notes that stand at the end of a file or of the book, moved below the paragraphs that they belong to.
        Notes = "notes",
        /// Backslashes before marks of Markdown, which are no text.
        Escapes = "escapes",
        /// Headings within a chapter, written as headings of Markdown.
        Subheadings = "subheadings",
        /// Files that were put in the order of their chapters' numbers.
        FilesOrdered = "files-ordered",
        EmptyFile = "empty-file",
        /// A file in a folder that is of another kind than those that can be read.
        OtherFile = "other-file",
        /// A file in a folder that is damaged, encrypted or no text.
        BrokenFile = "broken-file",
        /// From here on the numbers of chapters in the book differ otherwise from those in the file.
        NumberShift = "number-shift",
        LeftOut = "left-out",
    }
}
