#!/bin/sh
# Plays the games of hashes.txt inline, and compares the hashes of all positions with those that stand
# there. What is other exits with 1; `--write` writes the hashes instead.
#
#   hashes.sh [--write] BINARY MAPS
#
# BINARY is a built pursuit_bench, MAPS the folder that the maps are below. JOBS games run at once, by default
# as many as there are processors. A row of `-` for a hash was never played.
set -eu

# One row: subcommand, map, seed, agents, mode, body (`-` where there is none), seconds, hash.
if [ "${1:-}" = --row ]; then
  binary=$2 maps=$3 folder=$4 number=$5
  # shellcheck disable=SC2086 # a row is its words
  set -- $6
  body="--body $6"
  [ "$6" != - ] || body=""
  json=$folder/$number.json
  # A game may have faults, for example an agent that did not catch the player in time. Only its hash matters here.
  # shellcheck disable=SC2086
  "$binary" "$1" --map "$maps/$2" --seed "$3" --agents "$4" --mode "$5" --pace 0 $body --seconds "$7" \
    --json "$json" >/dev/null 2>"$folder/$number.log" || [ $? -eq 1 ] || cat "$folder/$number.log" >&2
  hash=$(sed -n 's/.*"positions_hash": "\([0-9a-f]*\)".*/\1/p' "$json" 2>/dev/null || true)
  echo "$1 $2 $3 $4 $5 $6 $7 ${hash:-none}" >"$folder/$number.row"
  exit 0
fi

write=false
if [ "${1:-}" = --write ]; then
  write=true
  shift
fi
[ $# -eq 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
list=$(dirname "$0")/hashes.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
grep -v '^#' "$list" | grep -n . | sed 's/:/\t/' >"$folder/rows"
# Each result is written to a file with the row's number, so that the rows keep their order.
tr '\t\n' '\0\0' <"$folder/rows" |
  xargs -0 -n 2 -P "${JOBS:-$(nproc)}" "$0" --row "$1" "$2" "$folder"
cut -f 2 "$folder/rows" >"$folder/before"
cut -f 1 "$folder/rows" | while read -r number; do cat "$folder/$number.row"; done >"$folder/after"
if $write; then
  { grep '^#' "$list" || true; cat "$folder/after"; } >"$folder/new"
  cp "$folder/new" "$list"
elif diff "$folder/before" "$folder/after"; then
  echo "$(wc -l <"$folder/after") hashes are the same"
else
  exit 1
fi
