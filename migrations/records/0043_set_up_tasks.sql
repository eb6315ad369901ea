-- The tasks outside the service, such as backups, that an administrator has marked as done: a JSON list.
ALTER TABLE organisations ADD COLUMN set_up_tasks TEXT NOT NULL DEFAULT '[]' CHECK (json_type(set_up_tasks) = 'array');
