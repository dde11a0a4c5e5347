#!/bin/sh
# `git push --porcelain` prints nothing at all where a `pre-push` hook stops it.
#
# git 2.47.3. `--porcelain` gives a line for each ref to standard output, also for those that are rejected: a remote's `pre-receive` hook
# that declines gives `!	HEAD:refs/heads/main	[remote rejected] (pre-receive hook declined)` for each. One expects such lines where
# the hook on this side declines. There is no line, not even the one with the remote's address, and the exit code is the same 1: only
# the free words on standard error, which are the hook's, tell the two apart.
#
# A program that reads the lines must take "exit 1 and no line" for a hook of the user's, and show standard error as it is.
#
# Seen: pre-push exit 1, 0 lines; pre-receive exit 1, a line with "!".
# Needs git.
set -eu

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export HOME="$room" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C

git init -q --bare "$room/remote"
git init -q -b main "$room/book"
cd "$room/book"
git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one
hook() {
    printf '#!/bin/sh\necho "%s says no" >&2\nexit 1\n' "$2" >"$1/hooks/$2"
    chmod +x "$1/hooks/$2"
}
pushed() {
    git push --porcelain "$room/remote" HEAD:refs/heads/main >"$room/lines" 2>"$room/words" && echo 0 || echo $?
}

hook .git pre-push
here=$(pushed)
lines=$(wc -l <"$room/lines")
grep -q "pre-push says no" "$room/words"
rm .git/hooks/pre-push
hook "$room/remote" pre-receive
there=$(pushed)
rejected=$(grep -c '^!' "$room/lines")
echo "pre-push: exit $here, $lines lines; pre-receive: exit $there, $rejected rejected"
[ "$here" = 1 ] && [ "$lines" = 0 ] && [ "$there" = 1 ] && [ "$rejected" = 1 ]
