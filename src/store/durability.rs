//! Making libgit2 sync what it writes. Its default does not, and a power cut then leaves refs that name empty objects.

use std::sync::Once;

/// Has every object, pack and ref synced, file and folder, from now on. Before the first repository is opened, since
/// libgit2 looks at the switch when it opens the refs.
pub(crate) fn enable_sync() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        libgit2_sys::init();
        set_fsync_gitdir();
    });
}

#[allow(unsafe_code)]
fn set_fsync_gitdir() {
    // SAFETY: this option takes exactly one `int` after its name and writes it to a global of libgit2, which `init`
    // has set up. git2 has no function for it.
    unsafe {
        libgit2_sys::git_libgit2_opts(libgit2_sys::GIT_OPT_ENABLE_FSYNC_GITDIR as libc::c_int, 1 as libc::c_int);
    }
}
