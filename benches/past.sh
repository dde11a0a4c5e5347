#!/bin/sh
# Measures questions about the past of a book, `state`, `history` and `blame`, beside the git command that comes nearest.
#
#   benches/past.sh PROGRAM BOOK [FACT]
#
# BOOK is a written book, such as FOLDER/book-3000 of `benches/book.sh PROGRAM FOLDER`; it is not changed but for its cache.
# FACT is a path of its state. "cold" has no cache, "next" one that is a chapter behind, "warm" one of the last commit.
set -eu

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
book=$2
fact=${3:-world_state.time_marker}
runs=${RUNS:-7}
cache=$(git -C "$book" rev-parse --absolute-git-dir)/novel/replay
chapters=$(git -C "$book" ls-files 'chapters/*' | wc -l)

now() { date +%s%N; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# Milliseconds of the median run; $1 is run before each, outside of the time.
clock() {
    before=$1
    shift
    i=0
    while [ $i -lt "$runs" ]; do
        $before
        begun=$(now)
        "$@" >/dev/null
        echo $(($(now) - begun))
        i=$((i + 1))
    done | median | awk '{ printf "%.1f", $1 / 1e6 }'
}
forget() { rm -f "$cache"; }
ask() { "$program" -C "$book" --no-pager "$@"; }

# The cache of the commit before the last chapter, made in a clone that ends there.
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone -q --no-tags "$book" "$clone/book" 2>/dev/null
git -C "$clone/book" reset -q --hard HEAD~1
"$program" -C "$clone/book" history "$fact" -n 1 >/dev/null
behind() { cp "$clone/book/.git/novel/replay" "$cache"; }

echo "$chapters chapters, fact $fact, medians of $runs runs in ms"
printf '%-34s %8s %8s %8s\n' question cold next warm
for question in "state $fact@ch-$((chapters / 2))" "state @ch-$((chapters / 2))" "history $fact" "history $fact -n $chapters" "blame $fact"; do
    ask history "$fact" -n 1 >/dev/null
    warm=$(clock true ask $question)
    next=$(clock behind ask $question)
    cold=$(RUNS=1 runs=1 clock forget ask $question)
    printf '%-34s %8s %8s %8s\n' "$question" "$cold" "$next" "$warm"
done
printf '%-34s %8s\n' "git show ch-N:state/…" "$(clock true git -C "$book" show "HEAD~$((chapters / 2)):state/current-state.json")"
printf '%-34s %8s\n' "git log -n 30 -p -- state" "$(clock true git -C "$book" log -n 30 -p -- state/current-state.json)"
printf '%-34s %8s\n' "git log -p -- state" "$(runs=1 clock true git -C "$book" log -p -- state/current-state.json)"
