-- What somebody with a personal link has entered and saved for later, as JSON: the time, the page, and the values of the
-- controls. It is cleared when the answers are sent, and deleted with the link.
ALTER TABLE form_links ADD COLUMN draft TEXT CHECK (draft IS NULL OR json_type(draft) = 'object');
