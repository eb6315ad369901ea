import { type SQL, sql } from 'drizzle-orm'

/** A text as the index holds it: whole up to 256 bytes, of a longer one the first 256 as a blob (see the view `leaves`). */
export const indexedText = (text: SQL) =>
  sql`CASE WHEN octet_length(${text}) > 256 THEN substr(CAST(${text} AS BLOB), 1, 256) ELSE ${text} END`
