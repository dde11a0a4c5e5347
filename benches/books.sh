# The books of the measurements, for `book.sh`, `model.sh` and `short.sh` beside it, which read this file. They begin with `set_up`, and
# say with `thread N` what chapter N does with the plot threads.

# Sets `program`, $2 or else $1, and `room`, the folder $3 or else a temporary one that goes with the script.
set_up() {
    program=${2:-$1}
    program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
    room=${3:-}
    if [ -z "$room" ]; then
        room=$(mktemp -d)
        # A packing in the background may put a file into a folder that is being removed.
        trap 'until rm -rf "$room" 2>/dev/null; do sleep 0.1; done' EXIT
    fi
    mkdir -p "$room/home"
    room=$(cd "$room" && pwd)
}

# Settings of git and of the user that are the measurement's own.
alone() {
    export HOME="$room/home" XDG_CONFIG_HOME="$room/home" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8
    git config --global user.name bench
    git config --global user.email bench@localhost
    git config --global init.defaultBranch main
}

# Starts the model that answers at once (`benches/model.rs`) with the flags $2 and following, from the source tree $1, for every
# later command of the program. It lives as long as the script, which holds file descriptor 3 open. Its build needs the user's home, so this comes before
# `alone`.
serve_model() {
    tree=$1
    shift
    (cd "$tree" && cargo test -q --locked --bench model --no-run)
    mkfifo "$room/end"
    (cd "$tree" && exec cargo test -q --locked --bench model -- "$@") <"$room/end" >"$room/url" &
    exec 3>"$room/end"
    rm "$room/end"
    until [ -s "$room/url" ]; do sleep 0.1; done
    export NOVEL_PROVIDER=openai NOVEL_MODEL=bench NOVEL_PRICE=free OPENAI_API_KEY=none NOVEL_TIMEOUTS_RETRY_WAIT=1ms
    NOVEL_BASE_URL=$(cat "$room/url")
    export NOVEL_BASE_URL
}

# The calls to sync in the trace $1.
syncs_of() { grep -cE ' (fsync|fdatasync|syncfs)\(' "$1"; }
# The bytes written in the trace $1.
written_of() { sed -n 's/.* \(write\|pwrite64\|writev\)(.*= \([0-9]*\)$/\2/p' "$1" | awk '{ s += $1 } END { printf "%d", s }'; }

# The outline of volume $1: fifty chapters on two storylines.
outline() {
    echo "# 第$1卷"
    n=$((($1 - 1) * 50 + 1))
    while [ $n -le $(($1 * 50)) ]; do
        if [ $((n % 3)) = 0 ]; then line=side-arc who=罗守拙; else line=main-arc who=沈渡; fi
        printf '\n## 第%s章 渡口第%s夜\n\n- 故事线: %s\n- 视角: %s\n- 地点: 北渡口第%s号栈桥\n' $n $n $line $who $((n % 17 + 1))
        printf -- '- 冲突: 第%s张船票对不上舱单，%s要在开船前查清\n- 人物弧光: 从只认票到开始认人\n' $n $who
        echo "- 伏笔: $(thread $n)"
        printf -- '- 状态变化: %s到了北渡口第%s号栈桥\n' $who $((n % 17 + 1))
        n=$((n + 1))
    done
}

# Plans the book $1 of $2 chapters, with some more; $3 is another flag for `init`. `words` may name the length of its chapters.
plan_book() {
    rm -rf "$1"
    outline 1 >"$room/outline.md"
    "$program" -q init "$1" --title 渡口 --genre 悬疑 --protagonist 沈渡 --conflict 一张对不上的舱单 \
        --outline "$room/outline.md" --words "${words:-2500-3500}" ${3:-} >/dev/null
    volume=2
    while [ $(((volume - 1) * 50)) -lt $(($2 + 20)) ]; do
        folder=$(printf '%s/volumes/vol-%02d' "$1" $volume)
        mkdir -p "$folder"
        outline $volume >"$folder/outline.md"
        volume=$((volume + 1))
    done
    git -C "$1" add -A
    git -C "$1" diff --cached --quiet || git -C "$1" commit -qm plan
}

# Packs the book $1. A packing in the background may still be at work, and how far it came must not count.
pack_book() {
    until git -C "$1" gc -q 2>/dev/null; do sleep 1; done
}

# Writes the book $1 up to chapter $2, with the flag $3 of `continue`. A volume is reviewed before the next one is written.
write_book() {
    volume=1
    while [ $((volume * 50)) -le "$2" ]; do
        "$program" -C "$1" -q continue ${3:-} --to $((volume * 50)) >/dev/null
        "$program" -C "$1" -q review "vol-$volume" --offline >/dev/null
        volume=$((volume + 1))
    done
    [ $((volume * 50 - 50)) = "$2" ] || "$program" -C "$1" -q continue ${3:-} --to "$2" >/dev/null
}
