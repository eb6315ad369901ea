-- The key that added the webhook over the API and limits what it reads. NULL for one of the dashboard.
ALTER TABLE webhooks ADD COLUMN key_id TEXT;
