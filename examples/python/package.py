"""Reads a data package, the zip of all records: the standard library is all it needs.

python3 package.py data-package.zip    # shows the tables and their columns

In a program or a notebook, with pandas or without:

    from package import read
    tables = read("data-package.zip")
    bookings = pandas.DataFrame(tables["bookings"]).convert_dtypes()
"""

import csv
import datetime
import io
import json
import re
import sys
import zipfile

csv.field_size_limit(10_000_000)


def read(file):
    """Returns the rows of each table: dicts of values with the types that datapackage.json gives their columns."""
    with zipfile.ZipFile(file) as package:
        resources = json.loads(package.read("datapackage.json"))["resources"]
        return {resource["name"]: read_table(package, resource) for resource in resources}


def read_table(package, resource):
    types = {field["name"]: PARSERS[field["type"]] for field in resource["schema"]["fields"]}
    with io.TextIOWrapper(package.open(resource["path"]), "utf-8", newline="") as lines:
        return [
            {name: None if cell == "" else types[name](cell) for name, cell in row.items()}
            for row in csv.DictReader(lines)
        ]


def text(cell):
    """Removes the apostrophe that keeps spreadsheets from running a text as a formula."""
    return cell[1:] if re.match(r"'+(?:[=+\-@\t\r\n\0＝＋－＠]|$)", cell) else cell


PARSERS = {
    "string": text,
    "number": float,
    "boolean": lambda cell: cell == "true",
    "date": datetime.date.fromisoformat,
    "datetime": lambda cell: datetime.datetime.fromisoformat(cell[:-1] + "+00:00"),
    "array": json.loads,
}

if __name__ == "__main__":
    for name, rows in read(sys.argv[1]).items():
        print(f"{name}: {len(rows)} rows, {', '.join(rows[0]) if rows else 'empty'}")
