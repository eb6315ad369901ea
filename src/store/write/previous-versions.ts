import { type SQL, sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { londonDay } from '../../model/timestamp.ts'
import { ofOrganisation } from '../fragments.ts'
import { samePerson } from '../same-person.ts'
import { statement } from '../statement.ts'
import { detailProperties, hasNoOwner, type Spellings } from './person-details.ts'

/** SQL that deletes the previous versions of records, selected by collection and id. */
export const deleteVersions = (organisationId: string, keys: SQL): SQL =>
  sql`UPDATE history SET replaced = NULL
    WHERE ${ofOrganisation({ organisationId })} AND (collection, id) IN (${keys})
      AND replaced IS NOT NULL`

/** SQL that deletes the previous versions that contain the id of a person or of somebody merged into them. */
export const deletePersonVersions = (organisationId: string, kind: Kind, id: string): SQL =>
  sql`${samePerson(organisationId, kind, id)}
    UPDATE history INDEXED BY history_with_documents SET replaced = NULL
    WHERE ${ofOrganisation({ organisationId })} AND replaced IS NOT NULL
      AND EXISTS (SELECT 1 FROM person WHERE instr(history.replaced, json_quote(person.id)) > 0)`

/** SQL that deletes the previous versions of structured records with a detail of a person. */
export const deleteVersionsWithDetails = (
  organisationId: string,
  { email, phone }: Spellings,
): SQL[] => {
  const values = [...email, ...phone]
  if (values.length === 0) return []
  return [
    sql`UPDATE history INDEXED BY history_with_documents SET replaced = NULL
      WHERE ${ofOrganisation({ organisationId })} AND replaced IS NOT NULL AND EXISTS (
        SELECT 1 FROM json_each(${JSON.stringify(detailProperties)}) AS property
        WHERE history.collection = property.value ->> '$.from'
          AND history.replaced ->> ('$.' || (property.value ->> '$.path')) IN (
            SELECT value FROM json_each(${JSON.stringify(values)})
          )
          AND ${hasNoOwner(sql`history.replaced`, sql`history.collection`)}
      )`,
  ]
}

/** SQL that removes the file names of the imports that wrote these records, because such a name may be that of a person. */
export const deleteFileNames = (organisationId: string, keys: SQL): SQL =>
  sql`UPDATE imports SET file = NULL
    WHERE ${ofOrganisation({ organisationId })} AND file IS NOT NULL AND id IN (
      SELECT created_by ->> '$.import' FROM (${keys}) AS item CROSS JOIN records
        ON records.collection = item.collection AND records.id = item.id
          AND ${ofOrganisation({ organisationId }, 'records')}
      UNION ALL
      SELECT author ->> '$.import' FROM (${keys}) AS item CROSS JOIN history
        ON ${ofOrganisation({ organisationId }, 'history')} AND history.collection = item.collection
          AND history.id = item.id
    )`

/**
 * Deletes at most 5,000 previous versions that are older than their organisation allows, the file names of
 * imports as old, and deleted sign-ups after the day until which their data is needed.
 */
export async function deleteOldVersions(d1: D1Database, now: number): Promise<void> {
  const cutoff = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${now / 1000}, 'unixepoch', '-' || version_days || ' days')`
  const query = sql`UPDATE history SET replaced = NULL
    WHERE (organisation_id, collection, id, version) IN (
      SELECT organisation_id, collection, history.id, history.version
      FROM organisations CROSS JOIN history ON organisation_id = organisations.id
        AND replaced IS NOT NULL
        AND at < ${cutoff}
      LIMIT 5000
    )`
  const signUps = sql`UPDATE history SET attached = json_set(attached, '$.signUp', NULL)
    WHERE (organisation_id, collection, id, version) IN (
      SELECT organisation_id, collection, id, version FROM history
      WHERE attached IS NOT NULL AND attached ->> '$.signUp.deleteAfter' < ${londonDay(now)}
      LIMIT 5000
    )`
  const files = sql`UPDATE imports SET file = NULL WHERE file IS NOT NULL
    AND at < (SELECT ${cutoff} FROM organisations WHERE organisations.id = imports.organisation_id)`
  await d1.batch([statement(d1, query), statement(d1, signUps), statement(d1, files)])
}
