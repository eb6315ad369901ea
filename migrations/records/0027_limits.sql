-- What a key is held to, as JSON: its collections, networks, and the fields that are kept from it
-- (src/access/restrictions.ts). NULL is no limit.
ALTER TABLE api_keys ADD COLUMN limits TEXT CHECK (json_valid(limits));

-- Whether a person who is no administrator may write: then they are an editor, otherwise a reader.
ALTER TABLE memberships ADD COLUMN edits INTEGER NOT NULL DEFAULT 0 CHECK (edits IN (0, 1));
