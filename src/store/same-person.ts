import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../model/properties/schema.ts'
import { lastChangeOf, ofCollection } from './fragments.ts'

/**
 * SQL for the common table `person`: the ids of a person and of the duplicates merged into them.
 * A duplicate that was restored or deleted since is somebody else.
 */
export const samePerson = (organisationId: string, kind: Kind, id: string): SQL =>
  sql`WITH RECURSIVE person (id) AS (
      SELECT ${id}
      UNION
      SELECT merged.id FROM person CROSS JOIN history AS merged
      WHERE ${ofCollection({ organisationId }, kind, 'merged')}
        AND merged.merged_into = person.id
        AND merged.version = ${lastChangeOf({ organisationId }, { collection: kind, id: sql`merged.id` })}
        AND NOT EXISTS (
          SELECT 1 FROM records
          WHERE ${ofCollection({ organisationId }, kind)} AND id = merged.id
        )
    )`
