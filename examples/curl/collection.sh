#!/usr/bin/env bash
# Saves a collection as CSV or NDJSON: API_KEY=sk_... ./collection.sh bookings bookings.csv
# Further arguments are parameters of the list, such as attending=true. Needs curl 7.76 or newer.
set -euo pipefail

collection=$1
file=$2
parameters=()
for parameter in "${@:3}" "\$format=${file##*.}"; do parameters+=(--data-urlencode "$parameter"); done

# The file holds personal data: only the current user may read it.
umask 077
trap 'rm -f "$file.part"' EXIT
status=0
# The key is not an argument: every user of a machine can read the arguments of its processes.
curl --silent --show-error --fail-with-body --compressed --retry 9 --get \
  --header @<(printf 'x-api-key: %s\n' "$API_KEY") --header 'Prefer: handling=strict' \
  "${parameters[@]}" --output "$file.part" \
  "${API_URL:-http://localhost:8787/api/v1}/$collection" || status=$?
# 22: the response is an error with a message.
if ((status == 22)); then cat "$file.part" >&2; fi
if ((status != 0)); then exit "$status"; fi
# A transfer that breaks off fails, so the file is complete.
mv "$file.part" "$file"
