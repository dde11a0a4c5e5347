#!/bin/sh
# Measures the input of ten chapters of a book with 24 planned ones: the tokens of the prompts of a chapter by stage, the part that a provider's
# cache serves, which is the longest beginning that an earlier prompt of the book has too, and what is billed when that part costs a
# tenth. Tokens are estimates of the program. The model is a server on this machine (`benches/model.rs`) whose chapters have 3,000 characters.
#
#   benches/input.sh [PROGRAM [FOLDER]]
#
# PROGRAM is target/release/novel unless named. FOLDER keeps the books for the next run. JSON=schema has the schema of an answer beside
# the prompt only, as servers do that keep to one. SIZES="30 300" measures two chapters after so many others as well, of books that the
# offline writer has written. Needs git and awk.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/books.sh"
set_up "$here/../target/release/novel" "$@"
rm -f "$room/url"
serve_model "$here/.." --input "$room/input" --words 3000
alone
export NOVEL_JSON_MODE="${JSON:-object}"

# The server's summaries touch no plot thread.
thread() { echo 无; }

# The calls after line $2 of the list, told as $1, for each of $3 chapters.
told() {
    tail -n +$(($2 + 1)) "$room/input" | awk -v name="$1" -v n="$3" '
        { sent[$1] += $2; cached[$1] += $3; sent["all"] += $2; cached["all"] += $3 }
        END { for (stage in sent) printf "%-12s %-10s %8d %8.2f %8d\n", name, stage, sent[stage] / n, cached[stage] / sent[stage],
            (sent[stage] - 0.9 * cached[stage]) / n }' | sort
}

# A copy of the book $1 to write in. A packing in the background may still put files there.
take() {
    until rm -rf "$room/work" 2>/dev/null; do sleep 0.1; done
    cp -a "$1" "$room/work"
}

printf '%-12s %-10s %8s %8s %8s\n' chapters stage tokens cached billed
if [ ! -d "$room/planned" ]; then
    rm -rf "$room/begun"
    "$program" -q init "$room/begun" --title 渡口 --genre 悬疑 --protagonist 沈渡 --conflict 一张对不上的舱单 --words 2500-3500 >/dev/null
    for step in 'world update' 'world theme' 'character first 沈渡' 'plan make --chapters 24' 'plan approve'; do
        "$program" -C "$room/begun" -q $step >/dev/null
    done
    mv "$room/begun" "$room/planned"
fi
take "$room/planned"
before=$(wc -l <"$room/input")
"$program" -C "$room/work" -q continue 10 >/dev/null
told '1 to 10' "$before" 10
for size in ${SIZES:-}; do
    if [ ! -d "$room/book-$size" ]; then
        plan_book "$room/new-$size" "$size"
        write_book "$room/new-$size" "$size" --offline
        mv "$room/new-$size" "$room/book-$size"
    fi
    take "$room/book-$size"
    before=$(wc -l <"$room/input")
    "$program" -C "$room/work" -q continue 2 >/dev/null
    told "after $size" "$before" 2
done
