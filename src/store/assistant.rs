//! Files of the book's folder by which coding assistants find the book's tools, its rules and its position. A file of the
//! author's in such a place stays as it is.

use std::fs;

use crate::git::disk::files::{create_dirs, read_if_there, sync_dir};
use crate::git::disk::system;
use crate::git::error::{IoContext, StoreError};
use crate::store::book::repository::Book;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssistantState {
    Absent,
    Installed,
    /// The author's, or ours and changed.
    Other,
}

/// A file for assistants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AssistantFile {
    /// The path in the book.
    pub path: &'static str,
    /// The content, for authors who have a file of their own there.
    pub text: &'static str,
    pub state: AssistantState,
}

/// The skill, the server of tools, and the command at the start of a session.
const FILES: [(&str, &str); 3] = [
    (".claude/skills/novel/SKILL.md", include_str!("../../hooks/assistant/SKILL.md")),
    (".mcp.json", include_str!("../../hooks/assistant/mcp.json")),
    (".claude/settings.json", include_str!("../../hooks/assistant/settings.json")),
];

impl Book {
    /// Fails when a file cannot be read.
    pub fn assistant_files(&self) -> Result<Vec<AssistantFile>, StoreError> {
        let look = |(path, text): (&'static str, &'static str)| {
            let state = match read_if_there(&self.root.join(path))? {
                None => AssistantState::Absent,
                Some(bytes) if bytes == text.as_bytes() => AssistantState::Installed,
                Some(_) => AssistantState::Other,
            };
            Ok(AssistantFile { path, text, state })
        };
        FILES.into_iter().map(look).collect()
    }

    /// Writes the files that are absent.
    /// Fails when a file cannot be read or written; those before it are there then.
    pub fn install_assistant_files(&self) -> Result<Vec<AssistantFile>, StoreError> {
        for file in self.assistant_files()?.iter().filter(|file| file.state == AssistantState::Absent) {
            let place = self.root.join(file.path);
            let folder = place.parent().unwrap_or(&self.root);
            create_dirs(folder)?;
            system::rename(&self.temp.write(file.text.as_bytes())?, &place).at("writing", &place)?;
            sync_dir(folder)?;
        }
        self.assistant_files()
    }

    /// Removes the files that are as they were installed, and the folders that are empty then.
    /// Fails when a file cannot be read or removed.
    pub fn remove_assistant_files(&self) -> Result<Vec<AssistantFile>, StoreError> {
        for file in self.assistant_files()?.iter().filter(|file| file.state == AssistantState::Installed) {
            let place = self.root.join(file.path);
            fs::remove_file(&place).at("removing", &place)?;
            let folders = place.ancestors().skip(1).take_while(|folder| *folder != self.root);
            // A folder with other files stays.
            folders.take_while(|folder| fs::remove_dir(folder).is_ok()).for_each(drop);
        }
        self.assistant_files()
    }
}
