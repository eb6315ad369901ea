-- What the organisation publishes as open data, as JSON (src/publishing/settings.ts).
ALTER TABLE public_pages ADD COLUMN publishing TEXT NOT NULL DEFAULT '{}'
  CHECK (json_type(publishing) = 'object');
