import { sql } from 'drizzle-orm/sql'
import type { Author } from '../../model/author.ts'
import { json, nullable, text } from '../columns.ts'
import { keyNameOf, ofCollection, ofOrganisation } from '../fragments.ts'
import type { QueryReader } from '../query/query-reader.ts'

/** People whom the same author added in the same way. */
export type Origin = {
  /** The author, without the name of a person; null if it is not known. */
  author: Author | null
  /** The name of the author's key, or null if the key was deleted. */
  key: string | null
  /** The file of the import, if it has one. */
  file: string | null
  ordinals: readonly number[]
}

/** Reads who added the records above an ordinal. Each record is two rows, one of them to group it. */
export const readOrigins = (reader: QueryReader, after: number): Promise<Origin[]> => {
  const { scope } = reader
  const author = sql`added.author`
  return reader.select({
    columns: {
      author: nullable(json<Author>(author)),
      key: nullable(text(keyNameOf(scope, author))),
      file: nullable(
        text(sql`(SELECT file FROM imports
          WHERE ${ofOrganisation(scope, 'imports')} AND imports.id = ${author} ->> '$.import')`),
      ),
      ordinals: json<number[]>(sql`ordinals`),
    },
    from: sql`FROM (
      SELECT json_remove(created_by, '$.name') AS author, json_group_array(ordinal) AS ordinals
      FROM records WHERE ${ofCollection(scope, scope.collection)} AND ordinal > ${after} GROUP BY 1
    ) AS added`,
  })
}
