-- The key that encrypts the cursors of an organisation's lists: 32 random bytes, in hexadecimal.
ALTER TABLE organisations ADD COLUMN cursor_key TEXT NOT NULL DEFAULT '';

UPDATE organisations SET cursor_key = hex(randomblob(32));

CREATE TRIGGER organisations_inserted AFTER INSERT ON organisations WHEN NEW.cursor_key = ''
BEGIN
  UPDATE organisations SET cursor_key = hex(randomblob(32)) WHERE id = NEW.id;
END;
