import { type SQL, sql } from 'drizzle-orm'

/**
 * Returns SQL for a text as the index has it: complete up to 256 bytes, otherwise its first 256
 * bytes as a blob (see the view `leaves`).
 */
export const indexedText = (text: SQL) =>
  sql`CASE WHEN octet_length(${text}) > 256 THEN substr(CAST(${text} AS BLOB), 1, 256) ELSE ${text} END`
