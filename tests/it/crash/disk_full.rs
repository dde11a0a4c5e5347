//! A disk that fills up. Needs root and a mount; elsewhere there is nothing to see.

use super::*;
use novel::report::subject::wording;
use novel::store::{self, CommitError, StoreError};

struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mounted_at(path: &Path) -> Option<Self> {
        std::fs::create_dir_all(path).ok()?;
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=2m", "none"]).arg(path).output().ok()?;
        mounted.status.success().then(|| Self(path.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_the_old_book_whole() {
    let template = prepared("accept");
    let away = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mounted_at(&away.path().join("disk")) else { return };
    let root = copied(&template, &disk.0.join("书"));
    let before = outcome(&root);
    let ballast = disk.0.join("ballast");
    let (mut refused, mut made) = (0, 0);
    // From nothing left to plenty, a page at a time: each leaves another step without room.
    for free in (0..60).map(|n| n * 4096) {
        std::fs::write(&ballast, vec![0; 4 << 20]).unwrap_err();
        let size = std::fs::metadata(&ballast).unwrap().len();
        std::fs::OpenOptions::new().write(true).open(&ballast).unwrap().set_len(size.saturating_sub(free)).unwrap();
        let book = Book::open(&root, wording).unwrap();
        let outcome_of_commit = match store::pending_command::begin(&book, &holder(), wait()) {
            Err(_) => None,
            Ok(session) => {
                let change = chapter_change(3).put("research/long.md", "长".repeat(9000));
                let committed = store::transaction::commit(&session, &proposal(&session, change, chapter_message(3)));
                if let Err(e) = &committed {
                    assert!(matches!(e, CommitError::Store(StoreError::DiskFull { .. })), "{free}: {e:?}");
                }
                Some(committed)
            }
        };
        std::fs::remove_file(&ballast).unwrap();
        match outcome_of_commit {
            Some(Ok(committed)) => {
                made += 1;
                if committed.lagging.is_none() {
                    assert!(outcome(&root).leftovers.is_empty());
                }
                recover(&root);
                let now = outcome(&root);
                assert_eq!(now.status, before.status, "{free}");
                assert_ne!(now.tree, before.tree);
                break;
            }
            Some(Err(_)) | None => {
                refused += 1;
                let now = outcome(&root);
                assert_eq!(now, before, "{free}");
                assert!(recover(&root).finished.is_none());
            }
        }
    }
    assert!(refused > 0 && made == 1, "refused {refused}, made {made}");
}
