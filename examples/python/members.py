"""Writes every member as a row of CSV: the standard library is all it needs.

API_KEY=sk_... python3 members.py > members.csv
"""

import csv
import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

API_URL = os.environ.get("API_URL", "http://localhost:8787/api/v1")
API_KEY = os.environ["API_KEY"]


def get(path, **query):
    """Returns the JSON of GET path, or exits with the API's message."""
    url = f"{API_URL}/{path}?{urllib.parse.urlencode(query)}"
    # Strict handling rejects a misspelt filter, which otherwise finds nothing.
    headers = {"x-api-key": API_KEY, "Prefer": "handling=strict"}
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code}: {json.load(error)['message']}")


def every(collection, key, limit=250):
    """Reads every record of a collection, page by page. A page that is not full is the last."""
    offset = 0
    while True:
        page = get(collection, limit=limit, offset=offset)[key]
        yield from page
        if len(page) < limit:
            return
        offset += limit


def guarded(value):
    """Puts a quote in front of a text that a spreadsheet would run as a formula."""
    is_formula = isinstance(value, str) and re.match(r"'*[=+\-@\t\r\n\0＝＋－＠]", value)
    return f"'{value}" if is_formula else value


def row(member):
    """Returns a member as a flat row: the fields as columns, each under its key."""
    fields = {field["key"]: field["value"] for field in member["fields"]}
    lists = {key: "; ".join(map(str, value)) for key, value in fields.items() if isinstance(value, list)}
    return {"memberId": member["memberId"], **fields, **lists}


rows = [row(member) for member in every("members", "members")]
columns = list(dict.fromkeys(column for each in rows for column in each))
writer = csv.DictWriter(sys.stdout, columns)
for each in [dict(zip(columns, columns)), *rows]:
    writer.writerow({column: guarded(value) for column, value in each.items()})
