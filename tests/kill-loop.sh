#!/bin/sh
# Kills the program at every system call that changes something, and looks at what is left.
#
#   tests/kill-loop.sh [-s STEP] [-e ERROR] [PROGRAM [SCENARIO…]]
#
# PROGRAM is target/release/novel unless named; scenarios are continue, count, volume, scenes, back, rollback, undo, undo2,
# redo, init, recover, plan, approve, reject, decide, style, world, rewrite, retire, storyline, impact, review, end, restore,
# text, branch, switch, adopt, delete, candidates, pick, rebuild, merge, rename, import, hooks, unhook, mend, sync,
# clone and work (all unless named). In the last three, the calls of the git that is started are killed as well.
# With -s 7 only every seventh point is tried. With -e EIO or -e ENOSPC the system call fails with that error and the
# program goes on. Needs strace and git. For each point: the command dies or meets the error there, `novel status` has a
# look, the same command runs again, and then
#   - the trees of the book and of its drafts are those of an undisturbed run, byte for byte (the chapter's log is part
#     of them, so no stage was asked twice whose answer had been written down), and so is the list of its commits,
#   - `git fsck --strict` finds nothing, `git status` shows only what the author had left uncommitted,
#   - the author's own files are as they were, and no look has taken anything else for an edit of the author's,
#   - the remote, where there is one, has the branches and tags that it has after an undisturbed run.
set -u

# `inside` is the folder of the book below the one that a command works in.
step=1 error= inside=
while getopts s:e: option; do
    case $option in
    s) step=$OPTARG ;;
    e) error=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
program=${1:-$(dirname "$0")/../target/release/novel}
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
[ $# -gt 0 ] && shift
all="continue count volume scenes back rollback undo undo2 redo init recover plan approve reject decide style world rewrite"
scenarios=${*:-"$all retire storyline impact review end restore text branch switch adopt delete candidates pick rebuild merge rename import hooks unhook mend sync clone work"}

calls="openat write rename renameat2 link linkat unlink unlinkat mkdir fsync fdatasync syncfs symlink ftruncate"
room=$(mktemp -d "${TMPDIR:-/dev/shm}/kill-loop.XXXXXX") || exit 1
trap 'rm -rf "$room"' EXIT INT TERM
export HOME="$room/home" XDG_CONFIG_HOME="$room/home" GIT_CONFIG_NOSYSTEM=1 SOURCE_DATE_EPOCH=1767225600 LC_ALL=C.UTF-8 RUST_BACKTRACE=0
mkdir "$HOME"
points=0 bad=0

tree() { git -C "$1" rev-parse 'HEAD^{tree}' 2>/dev/null && git -C "$1" for-each-ref --format='%(refname) %(tree)' refs/heads/draft; }

# The commits of a book, oldest first, and the files that a look takes for edits of the author's.
commits() { git -C "$1" log --first-parent --reverse --format=%s 2>/dev/null; }
edits() { "$program" -C "$1" --json status 2>/dev/null | tr -d ' \n' | sed -n 's/.*"hand_edits":\[\([^]]*\)\].*/\1/p'; }

# What a remote has for others.
shared() { git -C "$1" for-each-ref --format='%(refname) %(objectname)' refs/heads refs/tags; }

modes() { find "$1/.git/hooks" -printf '%m %p\n' | sed "s|$1||" | sort; }

# What must hold in book $1 after the second run; $2 is the undisturbed book, $3 what is being tried.
check() {
    problem=
    [ "$(tree "$1")" = "$(tree "$2")" ] || problem="another tree"
    [ "$(commits "$1")" = "$(commits "$2")" ] || problem="$problem; other commits"
    [ ! -e "$1/.git/novel/errand" ] || problem="$problem; an errand is left over"
    git -C "$1" fsck --strict --no-dangling >"$room/fsck" 2>&1 || problem="$problem; git fsck: $(head -1 "$room/fsck")"
    [ "$(git -C "$1" status --porcelain)" = "$(git -C "$2" status --porcelain)" ] || problem="$problem; git status differs"
    diff -r "$1/.git/hooks" "$2/.git/hooks" >/dev/null 2>&1 || problem="$problem; other hooks"
    [ "$(modes "$1")" = "$(modes "$2")" ] || problem="$problem; other modes of hooks"
    if [ -e "$room/author" ]; then
        cmp -s "$room/author" "$1/notes.txt" || problem="$problem; the author's notes changed"
        cmp -s "$room/author-brief" "$1/brief.md" || problem="$problem; the author's brief changed"
    fi
    [ "$(git -C "$1" for-each-ref --format='%(refname)' refs/novel/txn refs/heads/draft | wc -l)" = \
        "$(git -C "$2" for-each-ref --format='%(refname)' refs/novel/txn refs/heads/draft | wc -l)" ] ||
        problem="$problem; refs left over"
    find "$1/.git" -name '*.lock' | grep -q . && problem="$problem; a lock is left over"
    [ ! -d "$room/hub.end" ] || [ "$(shared "$room/hub.git")" = "$(shared "$room/hub.end")" ] ||
        problem="$problem; another remote"
    [ -z "$problem" ] || { bad=$((bad + 1)); echo "FAIL $3: $problem" >&2; }
}

# Tries every point of one command: $1 its name, $2 the folder it begins with, $3 the undisturbed result, then the
# command. In scenario `recover` the command dies once before, at a fixed point past the commit.
loop() {
    name=$1 template=$2 reference=$3
    shift 3
    before=$(edits "$template$inside") after=$(edits "$reference$inside") try="$room/try$inside"
    commits "$reference$inside" >"$room/commits"
    for call in $calls; do
        n=1
        while :; do
            rm -rf "$room/try"
            [ -d "$template" ] && cp -a "$template" "$room/try"
            [ ! -d "$room/hub.kept" ] || hub
            timeout 60 strace -qq -f -o "$room/trace" -e trace="$call" \
                -e inject="$call:${error:+error=}${error:-signal=SIGKILL}:when=$n" -- \
                "$program" -C "$room/try" "$@" >/dev/null 2>&1
            code=$?
            case $error in
            '') [ "$code" = 137 ] || [ "$code" = 124 ] || break ;;
            *) grep -q INJECTED "$room/trace" || break ;;
            esac
            points=$((points + 1))
            commits "$try" >"$room/now"
            commits "$template$inside" | cmp -s - "$room/now" ||
            head -n "$(wc -l <"$room/now")" "$room/commits" | cmp -s - "$room/now" || {
                bad=$((bad + 1))
                echo "FAIL $name $call#$n: neither the old book nor the new one: $(tail -1 "$room/now")" >&2
            }
            seen=$(edits "$try")
            [ "$seen" = "$before" ] || [ "$seen" = "$after" ] || [ -z "$seen" ] || {
                bad=$((bad + 1))
                echo "FAIL $name $call#$n: a look blames the author for $seen" >&2
            }
            # A command that has come to its end in spite of an error is not given again, unless it only has a goal.
            if [ "$code" = 0 ] && [ -n "$error" ] && [ "$name" != continue ]; then
                "$program" -C "$try" --lang en doctor --repair --yes >"$room/out" 2>&1
                check "$try" "$reference$inside" "$name $call#$n"
                n=$((n + step))
                continue
            fi
            # An `init` that died after its last step, while it was saying so, has left a whole book; `check` sees to that.
            "$program" -C "$room/try" --lang en "$@" >"$room/out" 2>&1
            code=$?
            # 3: a plan waits for the author, which is where the undisturbed run ended too.
            if [ $code != 0 ] && [ $code != 3 ] && ! grep -q 'is already a book' "$room/out"; then
                bad=$((bad + 1))
                echo "FAIL $name $call#$n: the second run says: $(head -3 "$room/out" | tr '\n' ' ')" >&2
            fi
            check "$try" "$reference$inside" "$name $call#$n"
            n=$((n + step))
        done
    done
    echo "$name: $points points so far, $bad failures"
}

# The remote as it was before a sync.
hub() {
    rm -rf "$room/hub.git"
    cp -a "$room/hub.kept" "$room/hub.git"
}

# A book on another device, and the remote that it is synced with.
shared_book() {
    rm -rf "$room/far" "$room/hub.git"
    cp -a "$room/two" "$room/far"
    git init -q --bare "$room/hub.git"
    "$program" -C "$room/far" sync "$room/hub.git" >/dev/null 2>&1 || exit 1
}

author() {
    printf '伏笔：渡口的灯。\n' >"$1/notes.txt"
    printf '\n作者临时加的一句。\n' >>"$1/brief.md"
    cp "$1/notes.txt" "$room/author"
    cp "$1/brief.md" "$room/author-brief"
}

# A book with a world, a theme and people, and nothing planned.
founded() {
    [ -e "$room/founded" ] && return
    "$program" init "$room/founded" --title 渡口 --genre 悬疑 --protagonist 沈渡 --conflict 一张假船票 --words 300-500 --offline >/dev/null 2>&1 || exit 1
    "$program" -C "$room/founded" world update >/dev/null 2>&1 || exit 1
    "$program" -C "$room/founded" world theme >/dev/null 2>&1 || exit 1
    "$program" -C "$room/founded" character first 沈渡 >/dev/null 2>&1 || exit 1
}

# A book whose first volume is written, and one whose plan the author has changed while chapters are left to write.
settled() {
    [ -e "$room/ended" ] && return
    founded
    once "$room/founded" "$room/short" plan make --chapters 4
    once "$room/short" "$room/begun" plan approve
    once "$room/begun" "$room/ended" continue 4
    once "$room/begun" "$room/touched" continue 1
    sed -i '0,/"rule": "/s//"rule": "入夜以后，/' "$room/touched/world/rules.json"
}

# The undisturbed end $2 of a command begun in $1, unless it is there.
once() {
    from=$1 to=$2
    shift 2
    [ -e "$to" ] && return
    cp -a "$from" "$to"
    "$program" -C "$to" "$@" >/dev/null 2>&1
    code=$?
    [ $code = 0 ] || [ $code = 3 ] || { echo "the undisturbed run of $* ended with $code" >&2; exit 1; }
}

"$program" -q demo "$room/two" --chapters 2 >/dev/null 2>&1 || exit 1
cp -a "$room/two" "$room/edited"
author "$room/edited"
cp -a "$room/edited" "$room/three"
"$program" -C "$room/three" continue --to ch-003 >/dev/null 2>&1 || exit 1

for scenario in $scenarios; do
    rm -rf "$room/hub.kept" "$room/hub.end"
    inside=
    case $scenario in
    sync)
        # A copy with an edit of its own, and a remote with a chapter more.
        rm -f "$room/author"
        rm -rf "$room/near" "$room/joined"
        shared_book
        cp -a "$room/far" "$room/near"
        printf '\n两台设备一起写。\n' >>"$room/near/brief.md"
        "$program" -C "$room/far" continue 1 --offline --no-sync >/dev/null 2>&1 || exit 1
        "$program" -C "$room/far" sync >/dev/null 2>&1 || exit 1
        cp -a "$room/hub.git" "$room/hub.kept"
        once "$room/near" "$room/joined" sync
        cp -a "$room/hub.git" "$room/hub.end"
        loop sync "$room/near" "$room/joined" sync
        ;;
    clone | work)
        # A remote with a book, and an empty folder.
        rm -f "$room/author"
        rm -rf "$room/nothing" "$room/arrived"
        shared_book
        cp -a "$room/hub.git" "$room/hub.kept"
        mkdir "$room/nothing"
        case $scenario in
        clone) set -- clone "$room/hub.git" book ;;
        work) set -- work "$room/hub.git" --dir . --chapters 1 --offline ;;
        esac
        once "$room/nothing" "$room/arrived" "$@"
        cp -a "$room/hub.git" "$room/hub.end"
        inside=/$(ls "$room/arrived" | head -1)
        loop "$scenario" "$room/nothing" "$room/arrived" "$@"
        ;;
    continue) loop continue "$room/edited" "$room/three" continue --to ch-003 ;;
    scenes)
        once "$room/edited" "$room/scenes" continue --scenes --to ch-003
        loop scenes "$room/edited" "$room/scenes" continue --scenes --to ch-003
        ;;
    back)
        # A chapter in scenes that waits for the author.
        rm -f "$room/author"
        rm -rf "$room/judged"
        cp -a "$room/two" "$room/judged"
        printf '\n离线评分(ch-003): 2.4\n' >>"$room/judged/brief.md"
        "$program" -C "$room/judged" continue --scenes >/dev/null 2>&1
        once "$room/judged" "$room/scene" rollback ch-003/scene-1 --yes
        loop back "$room/judged" "$room/scene" rollback ch-003/scene-1 --yes
        cp "$room/edited/notes.txt" "$room/author"
        cp "$room/edited/brief.md" "$room/author-brief"
        ;;
    count)
        once "$room/edited" "$room/four" continue 2
        loop count "$room/edited" "$room/four" continue 2
        ;;
    volume)
        rm -f "$room/author"
        once "$room/two" "$room/seven" continue --to ch-007
        once "$room/seven" "$room/whole" continue --volume
        loop volume "$room/seven" "$room/whole" continue --volume
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    undo | undo2 | redo)
        rm -f "$room/author"
        once "$room/two" "$room/clean" continue --to ch-003
        once "$room/clean" "$room/undone" undo
        case $scenario in
        undo) loop undo "$room/clean" "$room/undone" undo ;;
        undo2)
            once "$room/clean" "$room/undone2" undo 2
            loop undo2 "$room/clean" "$room/undone2" undo 2
            ;;
        redo)
            once "$room/undone" "$room/redone" redo
            loop redo "$room/undone" "$room/redone" redo
            ;;
        esac
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    decide)
        rm -f "$room/author"
        rm -rf "$room/asks"
        cp -a "$room/two" "$room/asks"
        printf '\n离线评分(ch-003): 2.4\n' >>"$room/asks/brief.md"
        "$program" -C "$room/asks" continue >/dev/null 2>&1
        once "$room/asks" "$room/answered" decide rewrite
        loop decide "$room/asks" "$room/answered" decide rewrite
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    rollback)
        cp -a "$room/three" "$room/back"
        "$program" -C "$room/back" rollback ch-001 --yes >/dev/null || exit 1
        loop rollback "$room/three" "$room/back" rollback ch-001 --yes
        ;;
    restore)
        once "$room/three" "$room/back" rollback ch-001 --yes
        line=$(git -C "$room/back" rev-parse HEAD~1)
        once "$room/back" "$room/again-there" restore "$line"
        loop restore "$room/back" "$room/again-there" restore "$line"
        ;;
    text)
        once "$room/three" "$room/again" write 2 --force
        once "$room/again" "$room/old-text" restore ch-002
        loop text "$room/again" "$room/old-text" restore ch-002
        ;;
    merge)
        # The later chapters get other numbers.
        once "$room/three" "$room/merged" chapter merge 1
        loop merge "$room/three" "$room/merged" chapter merge 1
        ;;
    rename)
        # Plans, state, records and chapters get a person's new name.
        who=$(basename "$(find "$room/three/characters/active" -name '*.json' | sort | head -1)" .json)
        once "$room/three" "$room/renamed" character rename "$who" 韩望舒 --in-chapters --yes
        loop rename "$room/three" "$room/renamed" character rename "$who" 韩望舒 --in-chapters --yes
        ;;
    candidates)
        once "$room/edited" "$room/best" continue --candidates 2
        loop candidates "$room/edited" "$room/best" continue --candidates 2
        ;;
    pick)
        once "$room/edited" "$room/offered" continue --candidates 2 --choose
        once "$room/offered" "$room/picked" decide pick --candidate 2
        loop pick "$room/offered" "$room/picked" decide pick --candidate 2
        ;;
    branch | switch | adopt | delete)
        rm -f "$room/author"
        once "$room/two" "$room/line" branch alt --from ch-001
        once "$room/line" "$room/on-line" branch switch alt
        case $scenario in
        branch) loop branch "$room/two" "$room/line" branch alt --from ch-001 ;;
        switch) loop switch "$room/line" "$room/on-line" branch switch alt ;;
        adopt)
            once "$room/on-line" "$room/written" continue --to ch-003
            once "$room/written" "$room/adopted" adopt alt
            loop adopt "$room/written" "$room/adopted" adopt alt
            ;;
        delete)
            once "$room/line" "$room/deleted" branch delete alt
            loop delete "$room/line" "$room/deleted" branch delete alt
            ;;
        esac
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    hooks | unhook)
        rm -f "$room/author"
        if [ ! -e "$room/own" ]; then
            cp -a "$room/two" "$room/own"
            printf '#!/bin/sh\nexit 0\n' >"$room/own/.git/hooks/pre-commit"
            chmod 700 "$room/own/.git/hooks/pre-commit"
        fi
        once "$room/own" "$room/hooked" hooks install
        once "$room/hooked" "$room/unhooked" hooks remove
        case $scenario in
        hooks) loop hooks "$room/own" "$room/hooked" hooks install ;;
        unhook)
            diff -r "$room/own/.git/hooks" "$room/unhooked/.git/hooks" && [ "$(modes "$room/own")" = "$(modes "$room/unhooked")" ] || exit 1
            loop unhook "$room/hooked" "$room/own" hooks remove
            ;;
        esac
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    mend)
        # A file of the book that no pack has any more, and settings, tags and an index that are wrong.
        rm -f "$room/author"
        rm -rf "$room/ill"
        cp -a "$room/two" "$room/ill"
        for pack in "$room"/ill/.git/objects/pack/*.pack; do
            mv "$pack" "$room/pack"
            rm -f "${pack%.pack}".*
            git -C "$room/ill" unpack-objects -q <"$room/pack"
        done
        id=$(git -C "$room/ill" rev-parse HEAD:brief.md)
        rm -f "$room/ill/.git/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
        git -C "$room/ill" config core.fsync none
        git -C "$room/ill" tag -d ch-001 >/dev/null
        loop mend "$room/ill" "$room/two" doctor --repair --yes
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    init)
        rm -f "$room/author"
        mkdir "$room/new"
        "$program" -C "$room/new" init . --title 渡口 --genre 悬疑 --protagonist 沈渡 --conflict 一张假船票 --offline >/dev/null || exit 1
        mkdir "$room/empty"
        loop init "$room/empty" "$room/new" init . --title 渡口 --genre 悬疑 --protagonist 沈渡 --conflict 一张假船票 --offline
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    import)
        # A second run brings the chapters that the first one has not.
        rm -f "$room/author"
        for n in 1 2 3 4 5 6; do printf '第%s章 渡口之%s\n\n　　船夫数到第%s只灯笼，雨还没有停。\n　　他把缆绳又绕了一圈。\n\n' $n $n $n; done >"$room/渡口.txt"
        mkdir "$room/brought" "$room/blank"
        "$program" -C "$room/brought" import "$room/渡口.txt" --into . --yes >/dev/null || exit 1
        loop import "$room/blank" "$room/brought" import "$room/渡口.txt" --into . --yes
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    recover)
        # Dead right after the commit point: the branch has moved, nothing else has followed.
        rm -rf "$room/dead"
        cp -a "$room/edited" "$room/dead"
        n=1
        while [ "$(tree "$room/dead")" != "$(tree "$room/three")" ]; do
            rm -rf "$room/dead"
            cp -a "$room/edited" "$room/dead"
            strace -qq -f -o /dev/null -e trace=rename -e inject=rename:signal=SIGKILL:when=$n -- \
                "$program" -C "$room/dead" continue --to ch-003 >/dev/null 2>&1 || true
            n=$((n + 1))
        done
        loop recover "$room/dead" "$room/three" continue --to ch-003
        ;;
    rewrite)
        cp "$room/edited/notes.txt" "$room/author"
        once "$room/three" "$room/again" write 2 --force
        loop rewrite "$room/three" "$room/again" write 2 --force
        ;;
    rebuild)
        # A chapter that the author has edited and committed, in a book that goes on after it.
        rm -f "$room/author"
        if [ ! -e "$room/reworked" ]; then
            cp -a "$room/two" "$room/reworked"
            "$program" -C "$room/reworked" continue --to ch-006 >/dev/null 2>&1 || exit 1
            sed -i 's/黄雨靴/绿布鞋/g' "$room/reworked/chapters/vol-01/chapter-002.md"
            git -C "$room/reworked" -c user.name=a -c user.email=a@example.org commit -qam 'mine' || exit 1
        fi
        once "$room/reworked" "$room/rebuilt" rebuild --cascade
        loop rebuild "$room/reworked" "$room/rebuilt" rebuild --cascade
        cp "$room/edited/notes.txt" "$room/author"
        ;;
    storyline | impact | review | end)
        rm -f "$room/author"
        settled
        case $scenario in
        storyline)
            once "$room/ended" "$room/forked" storyline add --name 夜渡 --active
            loop storyline "$room/ended" "$room/forked" storyline add --name 夜渡 --active
            ;;
        impact)
            once "$room/touched" "$room/renewed" impact --regenerate
            loop impact "$room/touched" "$room/renewed" impact --regenerate
            ;;
        review)
            once "$room/ended" "$room/reviewed" review
            loop review "$room/ended" "$room/reviewed" review
            ;;
        end)
            once "$room/ended" "$room/reviewed" review
            once "$room/reviewed" "$room/closed" start --answer end
            loop end "$room/reviewed" "$room/closed" start --answer end
            ;;
        esac
        ;;
    plan | approve | reject | style | world | retire)
        rm -f "$room/author"
        founded
        case $scenario in
        world)
            once "$room/founded" "$room/grown" world update 渡口归谁管
            loop world "$room/founded" "$room/grown" world update 渡口归谁管
            ;;
        retire)
            who=$(cd "$room/founded/characters/active" && ls ./*.json | grep -v shen-du | head -1)
            who=$(basename "$who" .json)
            once "$room/founded" "$room/parted" character retire "$who"
            loop retire "$room/founded" "$room/parted" character retire "$who"
            ;;
        plan)
            once "$room/founded" "$room/planned" plan make --chapters 6
            loop plan "$room/founded" "$room/planned" plan make --chapters 6
            ;;
        approve)
            once "$room/founded" "$room/planned" plan make --chapters 6
            once "$room/planned" "$room/approved" plan approve
            loop approve "$room/planned" "$room/approved" plan approve
            ;;
        reject)
            once "$room/founded" "$room/planned" plan make --chapters 6
            once "$room/planned" "$room/rejected" plan reject
            loop reject "$room/planned" "$room/rejected" plan reject
            ;;
        style)
            once "$room/founded" "$room/styled" start --answer preset
            once "$room/styled" "$room/tried" start --answer found
            once "$room/tried" "$room/restyled" start --answer style --style light
            loop style "$room/tried" "$room/restyled" start --answer style --style light
            ;;
        esac
        ;;
    *) echo "no scenario $scenario" >&2; exit 2 ;;
    esac
done
echo "$points points, $bad failures"
[ "$bad" = 0 ]
