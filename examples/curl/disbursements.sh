#!/usr/bin/env bash
# Prints every paid disbursement, one JSON object a line: API_KEY=sk_... ./disbursements.sh
# Needs curl and jq.
set -euo pipefail

api_url=${API_URL:-http://localhost:8787/api/v1}
limit=250
offset=0

while :; do
  page=$(curl --silent --show-error --fail-with-body --get "$api_url/disbursements" \
    --header "x-api-key: $API_KEY" \
    --data-urlencode 'status=PAID' \
    --data-urlencode "limit=$limit" \
    --data-urlencode "offset=$offset")
  jq --compact-output '.disbursements[]' <<<"$page"
  offset=$((offset + limit))
  if ((offset >= $(jq '.total' <<<"$page"))); then break; fi
done
