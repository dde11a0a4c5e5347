//! Books that many tests begin with: each is made once in a process and copied from then on.

use super::World;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

type Made = Arc<OnceLock<PathBuf>>;

/// The folder with the templates of this process. Those of processes that have ended are removed.
fn room() -> &'static PathBuf {
    static ROOM: OnceLock<PathBuf> = OnceLock::new();
    ROOM.get_or_init(|| {
        const PREFIX: &str = "novel-templates-";
        let folder = super::memory();
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let owner = name.strip_prefix(PREFIX).map(|pid| PathBuf::from("/proc").join(pid));
            if owner.is_some_and(|owner| PathBuf::from("/proc/self").exists() && !owner.exists()) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        let room = folder.join(format!("{PREFIX}{}", std::process::id()));
        std::fs::create_dir_all(&room).unwrap();
        room
    })
}

impl World {
    /// Puts the book of that name at `to`: a copy of what `make` has made, in a world of the same kind, as `book`.
    #[track_caller]
    pub fn made_once(&self, name: &str, to: &str, make: impl FnOnce()) {
        static ALL: Mutex<BTreeMap<String, Made>> = Mutex::new(BTreeMap::new());
        let made = Arc::clone(ALL.lock().unwrap().entry(name.to_owned()).or_default());
        let mut is_new = false;
        let template = made.get_or_init(|| {
            make();
            is_new = true;
            let template = room().join(name);
            super::copied(&self.path(to), &template);
            template
        });
        if !is_new {
            super::copied(template, &self.path(to));
            // The files are others than those that git has noted.
            let _ = self.git(to, &["update-index", "-q", "--refresh"]);
        }
    }
}
