#!/bin/sh
# Builds the program for Windows on Linux, runs it under Wine, and looks at what it leaves with the git of this machine.
#
#   tests/windows.sh [-w FOLDER] [-p PROGRAM.exe] [-t FILTER]… [CHECK…]
#
# CHECK is any of commands, paths, files, together, kills (all unless named). With -t the integration tests whose names have
# FILTER in them run under Wine as well; that may be given several times. With -p nothing is built.
#
# It needs root on Debian or Ubuntu, rustup, and two gigabytes in FOLDER (target/windows-run unless named), and does this:
#   - adds the target x86_64-pc-windows-gnu to rustup's toolchain, and installs gcc-mingw-w64-x86-64, git and mmdebstrap where
#     they are missing,
#   - makes a Debian "trixie" with Wine 10 in FOLDER/system, once: the Wine of older systems lacks what Rust's library calls,
#   - puts FOLDER/run into that system as /run/novel, in a mount namespace of this script's own, so that nothing of it is
#     left when the script ends.
# A git.exe in FOLDER/run/tools is on the path of the programs under Wine; the checks need none.
#
# Each check prints one line; the end says how many passed. The exit code is 0 when all did.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
folder=$here/target/windows-run program= filters=
while getopts w:p:t: option; do
    case $option in
    w) folder=$OPTARG ;;
    p) program=$(cd "$(dirname "$OPTARG")" && pwd)/$(basename "$OPTARG") ;;
    t) filters="$filters $OPTARG" ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
checks=${*:-commands paths files together kills}
target=x86_64-pc-windows-gnu
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
system=$folder/system run=$folder/run

# Installs what the host lacks. $1 is a program, $2 the package that it is in.
needs() {
    command -v "$1" >/dev/null 2>&1 && return
    [ -n "${updated-}" ] || { apt-get update -q && updated=yes; }
    apt-get install -y -q --no-install-recommends "$2"
}

prepare() {
    needs git git
    if [ -z "$program" ] || [ -n "$filters" ]; then
        needs x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
        rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    fi
    if [ ! -e "$system/usr/lib/wine/wineserver" ] && [ ! -e "$system/usr/lib/wine/wineserver64" ]; then
        needs mmdebstrap mmdebstrap
        rm -rf "$system"
        mmdebstrap --variant=minbase --include=wine,wine64,ca-certificates trixie "$system" https://deb.debian.org/debian
    fi
    mkdir -p "$run/tools" "$run/books" "$system/run/novel"
}

build() {
    cd "$here"
    if [ -z "$program" ]; then
        nice -n 5 cargo build --locked --target "$target" --bins
        program=$here/target/$target/debug/novel.exe
    fi
    cp "$program" "$run/novel.exe"
    if [ -n "$filters" ]; then
        nice -n 5 cargo test --locked --target "$target" --test it --no-run
        newest=$(ls -t "target/$target/debug/deps/"it-*.exe | head -n 1)
        cp "$newest" "$run/it.exe"
    fi
}

# The part below runs in a mount namespace of its own.
if [ -z "${NOVEL_WINDOWS_RUN-}" ]; then
    prepare
    build
    export NOVEL_WINDOWS_RUN=yes
    exec unshare --mount sh "$here/tests/windows.sh" -w "$folder" -p "$run/novel.exe" \
        $(for filter in $filters; do printf -- '-t %s ' "$filter"; done) $checks
fi
mount --make-rprivate /
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
mount --bind "$run" "$system/run/novel"
if [ -n "$filters" ]; then
    # The tests know the program and their own files by the paths that these have here.
    mkdir -p "$system$here"
    mount --bind "$here" "$system$here"
fi

passed=0 failed=0
fine() {
    passed=$((passed + 1))
    printf 'ok      %s\n' "$1"
}
wrong() {
    failed=$((failed + 1))
    printf 'FAILED  %s: %s\n' "$1" "$2"
}

# Runs a program of Wine's in the folder $1 of /run/novel. Its output is in $run/out and $run/err, its exit code is the answer.
wine() {
    at=$1
    shift
    chroot "$system" env -i HOME=/root PATH=/usr/bin:/bin WINEPREFIX=/root/wine WINEDEBUG=-all WINEPATH='Z:\run\novel\tools' \
        XDG_RUNTIME_DIR=/tmp LC_ALL=C.UTF-8 NOVEL_LANG="${NOVEL_LANG-en}" SOURCE_DATE_EPOCH=1767225600 \
        ${NOVEL_EXTRA-} sh -c 'cd "/run/novel/$1" && shift && exec wine "$@"' sh "$at" "$@" >"$run/out" 2>"$run/err" </dev/null
}

# Runs novel in the folder $2 and compares its exit code with $3; $1 says what is checked, the rest are arguments.
novel() {
    what=$1 at=$2 wanted=$3
    shift 3
    code=0
    wine "$at" 'Z:\run\novel\novel.exe' "$@" || code=$?
    if [ "$code" -eq "$wanted" ]; then
        fine "$what (exit code $code)"
    else
        wrong "$what" "exit code $code, not $wanted: $(head -c 300 "$run/err" | tr '\r\n' '  ')"
    fi
}

# Runs this machine's git in the book $1 of $run. The settings of a book from Windows hold here too: it has no modes and no links.
of_git() {
    at=$run/$1
    shift
    git -c safe.directory='*' -C "$at" "$@"
}

# What must hold in the book $2 of $run, to this machine's git; $1 says when.
sound() {
    if ! problems=$(of_git "$2" fsck --strict --no-dangling 2>&1); then
        wrong "$1: git fsck --strict" "$problems"
    elif changes=$(of_git "$2" status --porcelain 2>&1) && [ -z "$changes" ]; then
        fine "$1: git fsck --strict and git status are clean"
    else
        wrong "$1: git status" "$changes"
    fi
}

# Holds when the output of the last program has $2 in it.
says() {
    if grep -q -- "$2" "$run/out" "$run/err"; then fine "$1"; else wrong "$1" "no \`$2\` in $(head -c 300 "$run/out" | tr '\r\n' '  ')"; fi
}

chapters() { of_git "$1" ls-tree -r --name-only HEAD chapters | grep -c '\.md$' || true; }

fresh() {
    rm -rf "$run/books/${1:?}"
    cp -r "$run/demo" "$run/books/$1"
}

check_commands() {
    fresh one
    novel "status" books/one 0 status
    novel "continue" books/one 0 continue
    sound "after continue" books/one
    if [ -f "$run/tools/git.exe" ]; then
        # The index has the figures that git for Windows would note: nothing has to be looked at again.
        rm -rf "$run/books/new"
        novel "a book of its own" books 0 demo new
        wine books/new git.exe -c 'safe.directory=*' diff-files --name-only && [ ! -s "$run/out" ] &&
            fine "git for Windows takes the index at its word" || wrong "git diff-files" "$(head -n 3 "$run/out")"
    fi
    novel "write" books/one 0 write 5
    novel "log" books/one 0 log
    novel "show" books/one 0 show ch-001
    novel "search" books/one 0 search 山
    novel "doctor" books/one 0 doctor
    before=$(chapters books/one)
    novel "rollback" books/one 0 rollback ch-001 --yes
    if [ "$(chapters books/one)" -eq 1 ]; then fine "rollback leaves one chapter of $before"; else wrong "rollback" "$(chapters books/one) chapters"; fi
    sound "after rollback" books/one
    novel "undo" books/one 0 undo
    if [ "$(chapters books/one)" -eq "$before" ]; then fine "undo brings them back"; else wrong "undo" "$(chapters books/one) chapters"; fi
    sound "after undo" books/one
    novel "doctor afterwards" books/one 0 doctor
    novel "an unknown command" books/one 2 no-such-command
    novel "no book" books 4 status
}

check_paths() {
    deep="books/剑 来/第一部 书稿"
    rm -rf "$run/books/剑 来"
    mkdir -p "$run/$deep"
    novel "init below Chinese characters and spaces" "$deep" 0 init 新书 --title 新书 --genre 玄幻 --no-hooks --no-input
    novel "status there" "$deep/新书" 0 status
    sound "after init" "$deep/新书"
    cp -r "$run/demo" "$run/$deep/旧书"
    novel "continue below Chinese characters and spaces" "$deep/旧书" 0 continue
    novel "a path in the arguments" . 0 -C 'Z:\run\novel\books\剑 来\第一部 书稿\旧书' log
    sound "after continue there" "$deep/旧书"
    # Libgit2 takes no repository whose files may get paths of more than 260 characters; the book's folder may have about 190.
    long=books/$(printf '长%.0s' $(seq 1 60))/$(printf '长%.0s' $(seq 1 60))
    rm -rf "$run/books/长"*
    mkdir -p "$run/$long/$(printf '长%.0s' $(seq 1 80))"
    cp -r "$run/demo" "$run/$long/书"
    cp -r "$run/demo" "$run/$long/$(printf '长%.0s' $(seq 1 80))/书"
    novel "continue in a folder of 160 characters" "$long/书" 0 continue
    sound "after continue there" "$long/书"
    novel "a folder of 240 characters is refused" "$long/$(printf '长%.0s' $(seq 1 80))/书" 4 continue
    sound "after the refusal" "$long/$(printf '长%.0s' $(seq 1 80))/书"
}

check_files() {
    fresh hand
    chapter=$run/books/hand/chapters/vol-01/chapter-001.md
    printf '\n他又回头看了一眼。\n' >>"$chapter"
    # The chapter is one commit, and so is the edit.
    commits=$(($(of_git books/hand log --format=%s | grep -c .) + 1))
    novel "a hand edit, then continue" books/hand 0 continue
    if [ "$(of_git books/hand log --format=%s | grep -c .)" -gt "$commits" ]; then fine "the edit is a commit"; else wrong "the edit" "no commit of its own"; fi
    sound "after a hand edit" books/hand
    sed -i 's/$/\r/' "$chapter" "$run/books/hand/novel.toml"
    novel "CRLF from an editor, then status" books/hand 0 status
    novel "CRLF from an editor, then continue" books/hand 0 continue
    novel "CRLF from an editor, then doctor" books/hand 0 doctor
    # `git status` lists such files until they are added; there is nothing to add, and they are no commit.
    if of_git books/hand fsck --strict --no-dangling >/dev/null 2>&1 && [ -z "$(of_git books/hand diff 2>/dev/null)" ]; then
        fine "after CRLF: git fsck --strict and git diff find nothing"
    else
        wrong "after CRLF" "git fsck --strict or git diff finds something"
    fi
    if of_git books/hand ls-files --eol | grep -q '^i/crlf'; then wrong "CRLF" "is in a commit"; else fine "no CRLF is in a commit"; fi
    fresh bom
    printf '\357\273\277' | cat - "$run/books/bom/novel.toml" >"$run/bom" && cp "$run/bom" "$run/books/bom/novel.toml"
    novel "a byte order mark in novel.toml" books/bom 0 continue
    fresh readonly
    chmod a-w "$run"/books/readonly/chapters/vol-01/*.md "$run"/books/readonly/state/*.json
    novel "read-only files, then continue" books/readonly 0 continue
    novel "read-only files, then rollback" books/readonly 0 rollback ch-001 --yes
    sound "after read-only files" books/readonly
}

check_together() {
    fresh both
    wine books/both 'Z:\run\novel\novel.exe' continue 4 &
    first=$!
    waited=0
    while [ ! -e "$run/books/both/.git/novel/holder.json" ] && [ $waited -lt 300 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    code=0
    chroot "$system" env -i HOME=/root PATH=/usr/bin:/bin WINEPREFIX=/root/wine WINEDEBUG=-all LC_ALL=C.UTF-8 NOVEL_LANG=en \
        sh -c 'cd /run/novel/books/both && exec wine Z:\\run\\novel\\novel.exe undo' >"$run/out2" 2>&1 </dev/null || code=$?
    if [ $code -eq 7 ]; then fine "a second writer is refused (exit code 7)"; else wrong "a second writer" "exit code $code: $(head -c 300 "$run/out2")"; fi
    code=0
    wait $first || code=$?
    if [ $code -eq 0 ]; then fine "the first writer goes on (exit code 0)"; else wrong "the first writer" "exit code $code"; fi
    sound "after two writers" books/both
}

check_kills() {
    for tenths in 03 06 09 12 15 18 21 24 27 30 35 40; do
        fresh killed
        wine books/killed 'Z:\run\novel\novel.exe' continue 2 &
        first=$!
        sleep "$(printf %s "$tenths" | sed 's/^\(.\)\(.\)$/\1.\2/')"
        # The process of the shell is replaced by that of the program itself, so this is its sudden end.
        kill -9 $first 2>/dev/null || true
        wait $first 2>/dev/null || true
        chroot "$system" env -i PATH=/usr/bin:/bin HOME=/root WINEPREFIX=/root/wine WINEDEBUG=-all wine taskkill /f /im novel.exe >/dev/null 2>&1 || true
        at=$(chapters books/killed)
        novel "continue after a kill at $tenths tenths, with $at chapters" books/killed 0 continue
        sound "after it" books/killed
    done
}

chroot "$system" env -i HOME=/root PATH=/usr/bin:/bin WINEPREFIX=/root/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= \
    XDG_RUNTIME_DIR=/tmp wineboot -i >/dev/null 2>&1 || true
rm -rf "$run/demo"
novel "demo" . 0 demo demo
sound "after demo" demo
for check in $checks; do "check_$check"; done
for filter in $filters; do
    code=0
    wine . 'Z:\run\novel\it.exe' "$filter" --test-threads 2 || code=$?
    grep '^test .* FAILED' "$run/out" | sed 's/^/        /' || true
    result=$(grep '^test result' "$run/out" | tail -n 1)
    if [ $code -eq 0 ]; then fine "tests of $filter: $result"; else wrong "tests of $filter" "$result"; fi
done
chroot "$system" env -i HOME=/root PATH=/usr/bin:/bin WINEPREFIX=/root/wine wineserver -k >/dev/null 2>&1 || true
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
