UPDATE records SET version = iif(version = 0, row, version), first_version = row
WHERE first_version = 0 AND row <= (SELECT max(row) FROM records) * 3 / 4;
