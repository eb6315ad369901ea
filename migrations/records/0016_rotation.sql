-- When a rotated key would have ended by itself, 'never' for one without an end; NULL if it was not
-- rotated. What replaces it lives as long, however short the grace.
ALTER TABLE api_keys ADD COLUMN own_expires TEXT;
