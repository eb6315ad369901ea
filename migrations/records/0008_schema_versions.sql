-- Schemas are part of responses, so a change of one takes the organisation's next version, as a change of a record does.
CREATE TRIGGER schemas_inserted AFTER INSERT ON schemas BEGIN
  UPDATE organisations SET
    version = version + 1, changed = max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  WHERE id = NEW.organisation_id;
END;

CREATE TRIGGER schemas_changed AFTER UPDATE ON schemas
WHEN NEW.name <> OLD.name OR NEW.fields <> OLD.fields
BEGIN
  UPDATE organisations SET
    version = version + 1, changed = max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  WHERE id = NEW.organisation_id;
END;

CREATE TRIGGER schemas_deleted AFTER DELETE ON schemas BEGIN
  UPDATE organisations SET
    version = version + 1, changed = max(changed, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
  WHERE id = OLD.organisation_id;
END;
