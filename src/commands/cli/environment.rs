//! The environment of the process: variables, current folder, clock, terminal, the user's own files. Read only here, so
//! that a test can replace it. The book's files belong to the store.

use crate::commands::prelude::*;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::io::{self, IsTerminal, Write as _};

#[derive(Debug, Clone)]
pub(crate) struct Environment {
    /// Variables with Unicode names and values.
    vars: BTreeMap<String, String>,
    /// Names of variables with other values.
    garbled: Vec<String>,
    /// `None` when the folder has been deleted.
    pub(crate) cwd: Option<PathBuf>,
    /// A person may type answers.
    pub(crate) stdin_is_terminal: bool,
    /// A person reads answers.
    pub(crate) stdout_is_terminal: bool,
    /// A person reads messages.
    pub(crate) stderr_is_terminal: bool,
    /// Columns and rows of the terminal.
    size: Option<(usize, usize)>,
    /// The system's language, where it is not in variables.
    pub(crate) locale: Option<String>,
}

impl Environment {
    pub(crate) fn of_process() -> Self {
        let (mut vars, mut garbled) = (BTreeMap::new(), Vec::new());
        for (name, value) in std::env::vars_os() {
            let Ok(name) = name.into_string() else { continue };
            match value.into_string() {
                Ok(value) => drop(vars.insert(name, value)),
                Err(_) => garbled.push(name),
            }
        }
        Self {
            vars,
            garbled,
            cwd: std::env::current_dir().ok(),
            stdin_is_terminal: io::stdin().is_terminal(),
            stdout_is_terminal: io::stdout().is_terminal(),
            stderr_is_terminal: io::stderr().is_terminal(),
            size: system::terminal_size(),
            locale: system::locale(),
        }
    }

    /// An environment of only these variables, for tests: no terminal, no folder.
    #[cfg(test)]
    pub(crate) fn of<'a>(vars: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let vars = vars.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self {
            vars,
            garbled: Vec::new(),
            cwd: None,
            stdin_is_terminal: false,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
            size: None,
            locale: None,
        }
    }

    /// A variable; an empty one counts as unset.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The folders of programs, as the system writes them. The name of the variable is spelt differently on different
    /// systems.
    pub(crate) fn folders_of_programs(&self) -> Option<&str> {
        self.vars.iter().find(|(name, _)| name.eq_ignore_ascii_case("PATH")).map(|(_, value)| value.as_str())
    }

    /// Names of the variables that are not empty.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.vars.iter().filter(|(_, value)| !value.is_empty()).map(|(name, _)| name.as_str())
    }

    pub(crate) fn garbled(&self) -> impl Iterator<Item = &str> {
        self.garbled.iter().map(String::as_str)
    }

    /// The columns for answers: `COLUMNS`, the terminal's, or `None` for a file or a pipe.
    pub(crate) fn columns(&self) -> Option<usize> {
        let named = self.var("COLUMNS").and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
        named.or(self.size.filter(|_| self.stdout_is_terminal).map(|(columns, _)| columns))
    }

    /// The rows of the terminal, when answers go to one.
    pub(crate) fn rows(&self) -> Option<usize> {
        self.size.filter(|_| self.stdout_is_terminal).map(|(_, rows)| rows)
    }

    /// The present time. `SOURCE_DATE_EPOCH` (seconds) stops the clock there, in UTC, to make a run reproducible to the
    /// last byte of its commits.
    pub(crate) fn now(&self) -> jiff::ZonedDateTime {
        let fixed =
            self.var("SOURCE_DATE_EPOCH").and_then(|seconds| Timestamp::from_second(seconds.parse().ok()?).ok());
        let zone = || match self.var("TZ") {
            None => system::time_zone().unwrap_or_else(TimeZone::system),
            Some(_) => TimeZone::system(),
        };
        fixed.map_or_else(
            || Timestamp::now().to_zoned_datetime(zone()),
            |stopped| stopped.to_zoned_datetime(TimeZone::UTC),
        )
    }

    /// The path of the running program, by the name under which it was found.
    pub(crate) fn program(&self) -> io::Result<PathBuf> {
        std::env::current_exe()
    }

    /// The user's configuration file: `NOVEL_CONFIG`, else `novel/config.toml` in `XDG_CONFIG_HOME` or the system's
    /// folder for such files.
    pub(crate) fn config_path(&self) -> Option<PathBuf> {
        if let Some(path) = self.var("NOVEL_CONFIG") {
            return Some(PathBuf::from(path));
        }
        Some(self.own_folder("XDG_CONFIG_HOME", |system| system.config_dir())?.join("config.toml"))
    }

    /// The program's folder for files that may be deleted at any time: `novel` in `XDG_CACHE_HOME`, or in the system's
    /// folder for such files.
    pub(crate) fn cache_folder(&self) -> Option<PathBuf> {
        self.own_folder("XDG_CACHE_HOME", |system| system.cache_dir())
    }

    /// The program's folder in the one that the variable names, else in the system's.
    fn own_folder(&self, name: &str, of_system: impl Fn(&directories::BaseDirs) -> &Path) -> Option<PathBuf> {
        let folder = match self.var(name).map(PathBuf::from).filter(|path| path.is_absolute()) {
            Some(folder) => folder,
            None => of_system(&directories::BaseDirs::new()?).to_owned(),
        };
        Some(folder.join("novel"))
    }

    /// A path as typed, with `~/` for the home folder, relative to `base`.
    pub(crate) fn path(&self, written: &str, base: &Path) -> PathBuf {
        let home = system::HOME.iter().find_map(|name| self.var(name));
        match (written.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => Path::new(home).join(rest),
            _ => base.join(written),
        }
    }
}

/// A text file of the user; `None` if it does not exist.
pub(crate) fn read_text(path: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The files at a path of the user: the file, or all that are in the folder and in the folders below.
pub(crate) struct PathFiles {
    pub(crate) is_folder: bool,
    pub(crate) files: Vec<PathBuf>,
}

pub(crate) fn files_at(path: &Path) -> io::Result<PathFiles> {
    if !path.is_dir() {
        return Ok(PathFiles { is_folder: false, files: vec![path.to_owned()] });
    }
    let (mut files, mut folders) = (Vec::new(), vec![path.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type()? {
                _ if is_hidden => {}
                kind if kind.is_dir() => folders.push(entry.path()),
                // A link to a file is read as the file.
                _ if entry.path().is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    Ok(PathFiles { is_folder: true, files })
}

/// Atomically writes a file of the user, unreadable for others, and creates its folder.
pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let (path, mut file) = private_beside(path)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Fails where [`write_private`] would, and writes nothing.
pub(crate) fn may_be_written(path: &Path) -> io::Result<()> {
    private_beside(path).map(drop)
}

/// The place of the file, and a temporary one beside it.
fn private_beside(path: &Path) -> io::Result<(PathBuf, tempfile::NamedTempFile)> {
    // A link to the file, as of those who keep their settings elsewhere, stays one.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let file = tempfile::NamedTempFile::new_in(folder)?;
    Ok((path, file))
}

/// A file of the user.
pub(crate) fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    std::fs::read(path)
}

/// Writes a file that all users may read, as a whole or not at all, and creates its folder.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A device or a pipe takes the bytes and stays.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, bytes);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    // Unlike a temporary file, this one may be read by others.
    let mut file = tempfile::Builder::new().make_in(folder, |path| std::fs::File::create_new(path))?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_has_the_zone_of_the_system() {
        let offset = |now: jiff::ZonedDateTime| now.offset();
        assert_eq!(offset(Environment::of([]).now()), offset(jiff::ZonedDateTime::now()));
    }

    #[test]
    fn the_clock_can_be_stopped() {
        let environment = Environment::of([("SOURCE_DATE_EPOCH", "1700000000")]);
        assert_eq!(environment.now().to_string(), "2023-11-14T22:13:20+00:00[UTC]");
        assert_eq!(environment.now(), environment.now());
    }

    #[test]
    fn the_configuration_file_is_where_the_user_says() {
        let at = |vars: &[(&str, &str)]| Environment::of(vars.iter().copied()).config_path();
        assert_eq!(at(&[("XDG_CONFIG_HOME", "/x")]), Some(PathBuf::from("/x/novel/config.toml")));
        assert_eq!(at(&[("XDG_CONFIG_HOME", "/x"), ("NOVEL_CONFIG", "/y.toml")]), Some(PathBuf::from("/y.toml")));
        let home = Environment::of([("HOME", "/home/a")]);
        assert_eq!(home.path("~/key", Path::new("/etc")), PathBuf::from("/home/a/key"));
        assert_eq!(home.path("key", Path::new("/etc")), PathBuf::from("/etc/key"));
    }

    #[cfg(unix)]
    #[test]
    fn what_the_user_writes_only_the_user_reads() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("novel/config.toml");
        write_private(&path, "provider = \"ollama\"\n").unwrap();
        assert!(!system::is_readable_by_others(&path).unwrap());
        assert_eq!(read_text(&path).unwrap().as_deref(), Some("provider = \"ollama\"\n"));
        assert_eq!(read_text(&folder.path().join("none")).unwrap(), None);
    }
}
