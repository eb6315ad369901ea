#!/usr/bin/env bash
# Prints every member as a JSON object a line, the fields as its properties:
# API_KEY=sk_... ./members.sh. Needs curl and jq.
set -euo pipefail

api_url=${API_URL:-http://localhost:8787/api/v1}
limit=250
offset=0

# Strict handling rejects a misspelt filter, which otherwise finds nothing.
while :; do
  page=$(curl --silent --show-error --fail-with-body --get "$api_url/members" \
    --header "x-api-key: $API_KEY" \
    --header 'Prefer: handling=strict' \
    --data-urlencode "limit=$limit" \
    --data-urlencode "offset=$offset")
  jq --compact-output '.members[] | {memberId} + (.fields | map({(.key): .value}) | add // {})' <<<"$page"
  # The members list has no total: a page that is not full is the last.
  if (($(jq '.members | length' <<<"$page") < limit)); then break; fi
  offset=$((offset + limit))
done
