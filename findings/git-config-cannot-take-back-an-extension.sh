#!/bin/sh
# An extension that git does not know cannot be taken back by `git config`: the repository that holds the setting is none.
#
# git 2.47.3 and `extensions.relativeWorktrees`, which git 2.48 sets by itself with `worktree.useRelativePaths`. An older git, of the other
# system or inside an editor, then refuses the repository, as it has to. One expects that `git config --unset
# extensions.relativeWorktrees` still takes the line out, as it is the way to change any setting. It ends with "fatal: not in a git
# directory", and `git config --local --list` cannot show the line either: with `core.repositoryformatversion` 1, git looks at the
# extensions before it runs any command. The same command with `--file` works.
#
# An advice has to name the file: `git config --file .git/config --unset NAME`.
#
# Seen: status 128, unset 128 "not in a git directory", list 128; with --file 0, and status 0 after it.
# Needs a git that does not know the extension (before 2.48).
set -eu

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export HOME="$room" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C

git init -q "$room/book"
cd "$room/book"
git config core.repositoryformatversion 1
git config extensions.relativeWorktrees true
code() {
    "$@" >"$room/out" 2>"$room/err" && echo 0 || echo $?
}
status=$(code git status) list=$(code git config --local --list) unset=$(code git config --unset extensions.relativeWorktrees)
grep -q "fatal: not in a git directory" "$room/err"
file=$(code git config --file .git/config --unset extensions.relativeWorktrees) after=$(code git status)
echo "$(git --version): status $status, list $list, unset $unset; with --file $file, status after it $after"
[ "$status $list $unset $file $after" = "128 128 128 0 0" ]
