-- An organisation is in one of several databases, which have the same tables. `database` is the binding of the
-- one that has it, such as 'DB_1', and NULL in that database itself. In `DB` every organisation has a row: this
-- is the directory. A database that an organisation has left keeps its row, so that late requests find it.
ALTER TABLE organisations ADD COLUMN database TEXT;

-- The database to which an organisation is being moved. Until it is there, nothing of it may be written.
ALTER TABLE organisations ADD COLUMN moving_to TEXT;

CREATE INDEX organisations_moving ON organisations (id) WHERE moving_to IS NOT NULL;
