import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../model/properties/schema.ts'

/**
 * SQL for the common table `person`: the ids of a person and of the duplicates merged into them.
 * A duplicate that was restored or deleted since is somebody else.
 */
export const samePerson = (organisationId: string, kind: Kind, id: string): SQL =>
  sql`WITH RECURSIVE person (id) AS (
      SELECT ${id}
      UNION
      SELECT merged.id FROM person CROSS JOIN history AS merged
      WHERE merged.organisation_id = ${organisationId} AND merged.collection = ${kind}
        AND merged.merged_into = person.id
        AND merged.version = (
          SELECT max(version) FROM history
          WHERE organisation_id = ${organisationId} AND collection = ${kind} AND id = merged.id
        )
        AND NOT EXISTS (
          SELECT 1 FROM records
          WHERE organisation_id = ${organisationId} AND collection = ${kind} AND id = merged.id
        )
    )`
