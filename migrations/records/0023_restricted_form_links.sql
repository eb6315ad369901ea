-- The restrictions of the key that made a link, as JSON: the link can do no more than the key, even if the form
-- asks later. NULL for credentials without restrictions.
ALTER TABLE form_links ADD COLUMN restrictions TEXT;
