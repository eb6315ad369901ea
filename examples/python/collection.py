"""Reads a collection as a table with typed columns: the standard library is all it needs.

API_KEY=sk_... python3 collection.py bookings    # shows the columns

In a program or a notebook, with pandas or without:

    from collection import read
    bookings = read("bookings", {"$filter": "date ge 2026-01-01"})
    table = pandas.DataFrame(bookings).convert_dtypes()
    table["date"] = pandas.to_datetime(table["date"])    # pandas has no type for dates alone
"""

import collections
import datetime
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API_URL = os.environ.get("API_URL", "http://localhost:8787/api/v1")
API_KEY = os.environ["API_KEY"]


def read(collection, parameters={}):
    """Returns a dict for each record: its values by dotted name, a person's fields by their keys."""
    lines = download(collection, {**parameters, "$format": "ndjson"}).splitlines()
    return typed([dict(flat(json.loads(line))) for line in lines])


def download(path, query):
    """Returns a complete response; waits for the time that a busy API asks for."""
    url = f"{API_URL}/{path}?{urllib.parse.urlencode(query)}"
    request = urllib.request.Request(url, headers={"x-api-key": API_KEY, "Prefer": "handling=strict"})
    for attempt in range(10):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                # Raises IncompleteRead if the transfer breaks off.
                return answer.read()
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == 9:
                sys.exit(f"{error.code}: {json.load(error)['message']}")
            wait = error.headers.get("Retry-After", "")
            time.sleep(int(wait) if wait.isdigit() else 60)


def flat(record, prefix=""):
    """Yields the names and values of a record and of the objects in it."""
    for name, value in record.items():
        if name == "fields":
            yield from ((prefix + field["key"], field["value"]) for field in value)
        elif not isinstance(value, dict):
            yield prefix + name, value
        elif name != "schemaInfo":
            yield from flat(value, f"{prefix}{name}.")


def typed(rows):
    """Gives every row the same columns, and turns columns of dates and times into such values."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    parsers = {name: parser([row[name] for row in rows if row.get(name) is not None]) for name in columns}
    return [
        {name: None if row.get(name) is None else parsers[name](row[name]) for name in columns} for row in rows
    ]


def parser(values):
    """Returns the function that parses the values of a column. JSON has types for all but dates and times."""
    for pattern, parse in PARSERS.items():
        if values and all(isinstance(value, str) and re.fullmatch(pattern, value) for value in values):
            return parse
    return lambda value: value


PARSERS = {
    r"\d{4}-\d\d-\d\d": datetime.date.fromisoformat,
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z": lambda text: datetime.datetime.fromisoformat(text[:-1] + "+00:00"),
}

if __name__ == "__main__":
    rows = read(sys.argv[1])
    for name in rows[0] if rows else []:
        types = collections.Counter(type(row[name]).__name__ for row in rows if row[name] is not None)
        print(f"{name}: {', '.join(f'{count} {type}' for type, count in types.items()) or 'empty'}")
