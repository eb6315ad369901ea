-- Who imported which file, with the counts of its rows. The row is written before the first record;
-- `finished` is NULL while the import runs, or if it was interrupted. `author` is JSON
-- (src/model/author.ts); the author of every record and history row that an import writes names it in
-- `import`. `ordinals` is JSON: for each collection the last ordinals before the import and after it.
ALTER TABLE imports ADD COLUMN author TEXT;
ALTER TABLE imports ADD COLUMN file TEXT;
ALTER TABLE imports ADD COLUMN finished TEXT;
ALTER TABLE imports ADD COLUMN created INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN updated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN unchanged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN rejected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN ordinals TEXT CHECK (json_valid(ordinals));

-- The undo of an import: who started it last, its counts and cursor as JSON
-- (src/store/imports/undo-progress.ts), when it was done, and until when a request works on it.
ALTER TABLE imports ADD COLUMN undone_by TEXT;
ALTER TABLE imports ADD COLUMN undo TEXT CHECK (json_valid(undo));
ALTER TABLE imports ADD COLUMN undone TEXT;
ALTER TABLE imports ADD COLUMN undo_lease TEXT;

CREATE INDEX imports_being_undone ON imports (organisation_id) WHERE undo_lease IS NOT NULL;

-- The name of a file may be that of a person: it goes with the previous versions.
CREATE INDEX imports_with_file ON imports (at) WHERE file IS NOT NULL;
