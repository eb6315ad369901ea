-- The key that added the webhook over the API, and whose access limits it. NULL for one of the dashboard.
ALTER TABLE webhooks ADD COLUMN key_id TEXT;
