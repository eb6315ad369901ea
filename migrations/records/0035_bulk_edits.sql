-- A bulk edit has a row in `imports` too, so that it can be undone: `edited` is the label of the field that it changed,
-- and NULL for the import of a file.
ALTER TABLE imports ADD COLUMN edited TEXT;

-- The record that an entry is about, as JSON: ["members","member-1"].
ALTER TABLE audit_log ADD COLUMN record TEXT CHECK (json_valid(record));
