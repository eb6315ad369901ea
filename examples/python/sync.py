"""Keeps a copy of every record in a SQLite file: the standard library is all it needs.

API_KEY=sk_... python3 sync.py copy.db

The first run takes everything, each later one what changed since. Every collection is a table with the id
and, as JSON, the record: sqlite3 copy.db "SELECT id, record ->> 'name' FROM events". The copy holds
personal data: keep it as safe as the records themselves.
"""

import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API_URL = os.environ.get("API_URL", "http://localhost:8787/api/v1")
API_KEY = os.environ["API_KEY"]


def get(path, **query):
    """Returns the status and JSON of GET path; waits for the time that a busy API asks for."""
    url = f"{API_URL}/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"x-api-key": API_KEY, "Prefer": "handling=strict"})
    for attempt in range(10):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == 9:
                return error.code, json.load(error)
            wait = error.headers.get("Retry-After", "")
            time.sleep(int(wait) if wait.isdigit() else 60)


def table(collection):
    """Returns the name of a collection's table, and creates the table if necessary."""
    name = f'"{collection.replace("-", "_")}"'
    copy.execute(f"CREATE TABLE IF NOT EXISTS {name} (id TEXT PRIMARY KEY, record TEXT NOT NULL)")
    return name


def keep(changes, cursor):
    """Writes a page of changes and its cursor to the copy: both or neither."""
    tables = {change["collection"]: table(change["collection"]) for change in changes}
    with copy:
        for change in changes:
            into, id = tables[change["collection"]], change["id"]
            if change["change"] == "deleted":
                copy.execute(f"DELETE FROM {into} WHERE id = ?", [id])
            else:
                record = json.dumps(change["record"], ensure_ascii=False)
                copy.execute(f"INSERT OR REPLACE INTO {into} VALUES (?, ?)", [id, record])
        copy.execute("INSERT OR REPLACE INTO sync VALUES (1, ?)", [cursor])


def empty():
    """Empties the copy and forgets the cursor."""
    tables = copy.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    with copy:
        for (name,) in tables:
            copy.execute(f'DELETE FROM "{name}"')


os.umask(0o077)  # Nobody else on this machine may read the copy.
copy = sqlite3.connect(sys.argv[1])
copy.execute("CREATE TABLE IF NOT EXISTS sync (only INTEGER PRIMARY KEY, cursor TEXT NOT NULL)")

number = 0
more = True
while more:
    cursor = copy.execute("SELECT cursor FROM sync").fetchone()
    query = {"$after": cursor[0]} if cursor else {}
    status, page = get("changes", limit=250, **{"$include": "records"}, **query)
    if status == 410 and cursor:
        # The cursor is older than the deletions that the API remembers.
        empty()
        continue
    if status != 200:
        sys.exit(f"{status}: {page['message']}")
    keep(page["changes"], page["next"])
    number += len(page["changes"])
    more = page["more"]
print(f"{number} changes")
