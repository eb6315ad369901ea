-- Activity lists deletions from the history, because a restored record has no row in `deletions`.
CREATE INDEX history_of_deletions ON history (organisation_id, version) WHERE change = 'deleted';
