#!/bin/sh
# Measures what work ahead saves and wastes: the wall time of ten chapters of a book with 50 planned ones beside the sum of their calls, and the
# calls beside those of a run without it.
# The model is a server on this machine (`benches/model.rs`) whose draft, summary, refinement and judgement take 3 : 0.75 : 2 : 1.
#
#   benches/ahead.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/novel unless named. UNIT=1 is the time of a judgement in seconds, at most 3: the program's own time counts for less
# beside longer calls. MODES="off safe" and REVISED=0 measure less. Needs git and awk.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/books.sh"
set_up "$here/../target/release/novel" "$@"
home=$HOME

# The server's summaries touch no plot thread.
thread() { echo 无; }

# Ten chapters of book $1 with `--ahead $2`, told as $3; the calls of the run without it are in `$3.calls`.
ten() {
    # A packing in the background may still put files there.
    until rm -rf "$room/work" 2>/dev/null; do sleep 0.1; done
    cp -a "$room/$1" "$room/work"
    begun=$(date +%s%N)
    "$program" -C "$room/work" -q --json continue 10 --ahead "$2" >"$room/said"
    wall=$((($(date +%s%N) - begun) / 1000000))
    sum=$(grep '"event":"stage_done"' "$room/said" | grep -o '"duration_ms":[0-9]*' | cut -d: -f2 | awk '{ s += $1 } END { print s }')
    calls=$(grep -c '"event":"stage_done"' "$room/said")
    [ "$2" != off ] || echo "$calls" >"$room/$3.calls"
    awk -v n="$3" -v a="$2" -v w="$wall" -v s="$sum" -v c="$calls" -v o="$(cat "$room/$3.calls")" \
        'BEGIN { printf "%-22s %-6s %7.1f %7.1f %10.2f %6d %11.2f\n", n, a, w / 1000, s / 1000, w / s, c, c / o }'
}

printf '%-22s %-6s %7s %7s %10s %6s %11s\n' chapters ahead 'wall s' 'sum s' 'wall÷sum' calls 'calls÷off'
for revised in ${REVISED:-0 5}; do
    export HOME="$home"
    rm -f "$room/url"
    serve_model "$here/.." --unit "${UNIT:-1}" --words 800 --revised $revised
    alone
    words=700-1000
    [ -d "$room/new" ] || plan_book "$room/new" 1
    # The first chapter of a volume is a key chapter, beside which nothing is written ahead unless the author is in a hurry.
    [ -d "$room/begun" ] || { cp -a "$room/new" "$room/begun"; write_book "$room/begun" 1 --offline; }
    case $revised in 0) what='all pass' ;; *) what='2 revised' ;; esac
    for ahead in ${MODES:-off safe eager}; do
        ten begun $ahead "2 to 11, $what"
        [ -n "${MODES:-}" ] || [ $revised != 0 ] || ten new $ahead "1 to 10, $what"
    done
    exec 3>&-
done
