-- Whether people sign up for all dates of a series at once. A link to a booking with `is_family` 2 leads to all
-- bookings of its sign-up.
ALTER TABLE event_questions ADD COLUMN books_all_dates INTEGER NOT NULL DEFAULT 0;
