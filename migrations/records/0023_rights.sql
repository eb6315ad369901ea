-- What a key may do, separated by commas and in this order: read, create-members, write.
ALTER TABLE api_keys ADD COLUMN rights TEXT NOT NULL DEFAULT 'read,create-members';
