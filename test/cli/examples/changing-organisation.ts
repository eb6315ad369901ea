import { demoFolder } from '../../../cli/demo-files.ts'
import { importFiles } from '../../../cli/import/import-files.ts'
import { collectionNames } from '../../../src/model/collection.ts'
import type { Bindings } from '../../../src/platform/bindings.ts'
import { putRecords } from '../../../src/store/write/put.ts'
import type { Copy } from './copies.ts'

/** Gives an organisation records in every collection and more than two pages of members, and returns functions to change them. */
export async function newChangingOrganisation(
  { DB: db, GEOGRAPHY: geography }: Bindings,
  organisationId: string,
  { apiUrl, key }: { apiUrl: string; key: string },
) {
  const to = { db, geography, organisationId, progress: () => {} }
  for await (const { file, errors } of importFiles([demoFolder], to)) {
    if (errors.length > 0) throw new Error(`${file} does not fit.`)
  }
  await putMembers(Array.from({ length: 341 }, (_, index) => `m-${index + 1}`))

  async function putMembers(ids: string[], name = 'Somebody') {
    const documents = ids.map((id) => ({
      id,
      document: JSON.stringify({ memberId: id, 'Full Name': `${name} ${id}` }),
    }))
    await putRecords(db, organisationId, 'members', documents)
  }

  async function listRecords(collection: string): Promise<Record<string, unknown>[]> {
    const address = `${apiUrl}/${collection}?$format=ndjson`
    const answer = await fetch(address, { headers: { 'x-api-key': key } })
    const lines = (await answer.text()).trim().split('\n')
    // A member names its schema.
    return lines.map((line) => JSON.parse(line)).map(({ schemaInfo, ...item }) => item)
  }

  let changes = 0
  return {
    id: organisationId,
    /** The current records of every collection, read over the API. */
    async truth(): Promise<Copy> {
      const copied = collectionNames.map(async (collection) => {
        const items = await listRecords(collection)
        return [collection, new Map(items.map((item) => [idOf(item), item]))] as const
      })
      return new Map(await Promise.all(copied))
    },
    /** Updates ten members and an event, creates four members and deletes five. Returns the ids of changed records that still exist. */
    async changeTwenty() {
      changes += 1
      const corrected = Array.from({ length: 10 }, (_, index) => `m-${changes * 20 + index}`)
      const created = Array.from({ length: 4 }, (_, index) => `new-${changes}-${index}`)
      const deleted = Array.from({ length: 5 }, (_, index) => `m-${changes * 20 + 10 + index}`)
      await putMembers(corrected, `Somebody ${changes}`)
      await putMembers(created)
      await db
        .prepare(
          `DELETE FROM records WHERE organisation_id = ? AND collection = 'members'
           AND id IN (SELECT value FROM json_each(?))`,
        )
        .bind(organisationId, JSON.stringify(deleted))
        .run()
      const event = (await listRecords('events'))[changes] ?? {}
      const id = idOf(event)
      const document = JSON.stringify({ ...event, name: `Another name ${changes}` })
      await putRecords(db, organisationId, 'events', [{ id, document }])
      return { members: [...corrected, ...created].sort(), events: [id] }
    },
    /** Backdates all records, each changed a day and a half after the previous one. */
    async age() {
      const times = `created = '2001-01-01T00:00:00.000Z',
        changed = strftime('%Y-%m-%dT%H:%M:%fZ', '2001-01-01', (36 * version) || ' hours')`
      await db
        .prepare(`UPDATE records SET ${times} WHERE organisation_id = ?`)
        .bind(organisationId)
        .run()
    },
    /** Forgets all deletions, as the service does after 90 days. */
    async forget() {
      await db.batch([
        db.prepare('DELETE FROM deletions WHERE organisation_id = ?').bind(organisationId),
        db
          .prepare('UPDATE organisations SET deletions_forgotten_to = version WHERE id = ?')
          .bind(organisationId),
      ])
    },
  }
}

/** The id is a record's first property. */
const idOf = (item: object) => String(Object.values(item)[0])
