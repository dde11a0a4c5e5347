//! Other programs that may be at work in the repository. Git's locks do not name their holder: a `git commit` whose editor is
//! open keeps `index.lock` without having it open.

use std::path::{Path, PathBuf};

use super::system;

/// A program that may hold a lock of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub pid: u32,
    pub command: String,
}

/// The programs that have `lock` open, and the gits that work in the repository that it belongs to or in the work tree
/// `root`. Empty where the system does not tell.
pub(crate) fn using(lock: &Path, root: Option<&Path>) -> Vec<Process> {
    let mut folders: Vec<PathBuf> = root.into_iter().map(Path::to_owned).collect();
    if let Some(git) = lock.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == ".git")) {
        folders.extend(git.parent().map(Path::to_owned));
    }
    folders.extend(lock.parent().map(Path::to_owned));
    let folders: Vec<PathBuf> = folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    let found = system::processes_using(lock, &folders);
    found.into_iter().map(|(pid, command)| Process { pid, command }).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};

    #[test]
    fn who_has_a_lock_open_is_found() {
        let home = tempfile::tempdir().unwrap();
        let lock = home.path().join("index.lock");
        let file = std::fs::File::create(&lock).unwrap();
        assert_eq!(using(&lock, None), []);
        let mut holder = std::process::Command::new("tee")
            .arg("/dev/stderr")
            .stdin(std::process::Stdio::piped())
            .stdout(file.try_clone().unwrap())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // The system names the program only once it runs, and it runs when it answers.
        holder.stdin.as_mut().unwrap().write_all(b"?").unwrap();
        holder.stderr.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let found = using(&lock, None);
        drop(holder.stdin.take());
        holder.wait().unwrap();
        assert_eq!(found, [Process { pid: holder.id(), command: "tee /dev/stderr".to_owned() }]);
        assert_eq!(using(&lock, None), []);
    }
}
