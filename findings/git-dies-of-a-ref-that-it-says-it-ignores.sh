#!/bin/sh
# git says that it ignores a ref with a broken name, and dies of it wherever it walks all refs.
#
# git 2.47.3. A sync program that meets two versions of `.git/refs/heads/main` leaves a copy called `main (1)` beside it. The name is no
# ref's name, and `git for-each-ref` says "warning: ignoring ref with broken name". One expects the rest of git to ignore the file as well,
# or nothing to do so. `git log --all`, `git gc`, `git bundle create --all` and a clone from there end with 128, the first with "fatal: bad
# object refs/heads/main (1)", although the file names a commit that is there. `git status` and `git push --all` go on without a word,
# so that the first sign is that no copy can be made any more.
#
# A program has to look for such files itself, and name them.
#
# Seen: for-each-ref 0 with the warning, status and push 0; log 128, gc 128, bundle 128, clone 128 of it; all 0 without the file.
# Needs git.
set -eu

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export HOME="$room" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C

git init -q -b main "$room/book"
git init -q --bare "$room/remote"
cd "$room/book"
git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one

code() {
    "$@" >"$room/out" 2>"$room/err" && echo 0 || echo $?
}
walks() {
    rm -rf "$room/copy"
    echo "log $(code git log --all --oneline), gc $(code git gc -q), bundle $(code git bundle create -q "$room/all.bundle" --all), clone" \
        "$(code git clone -q . "$room/copy")"
}
[ "$(walks)" = "log 0, gc 0, bundle 0, clone 0" ]

git rev-parse main >".git/refs/heads/main (1)"
[ "$(code git for-each-ref)" = 0 ] && grep -q "ignoring ref with broken name" "$room/err"
[ "$(code git push -q "$room/remote" --all)" = 0 ]
[ "$(code git status)" = 0 ] && ! grep -q . "$room/err"
walks
[ "$(walks)" = "log 128, gc 128, bundle 128, clone 128" ]
code git log --all >/dev/null
grep -q "fatal: bad object refs/heads/main (1)" "$room/err"
