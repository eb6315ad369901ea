import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { recordFullExport } from '../../src/store/audit-log.ts'
import { trustedStore } from '../../src/store/trusted-store.ts'
import { newOrganisation } from '../organisation.ts'

/** Adds entries to the audit log of a database in which an entry of the future is the last. Returns their ids. */
async function addEntries(database: 'DB' | 'DB_1', future: number) {
  const { id } = await newOrganisation(null, database)
  const d1 = env[database]
  await d1
    .prepare(
      "INSERT INTO audit_log (id, organisation_id, at, actor, action, target) VALUES (?, ?, '2999-01-01', 'a', 'b', 'c')",
    )
    .bind(future, id)
    .run()
  for (let entry = 0; entry < 5; entry++)
    await recordFullExport(trustedStore(d1, id, { by: 'person', name: 'a test' }))
  // The other tests need ids of the present.
  const { results } = await d1
    .prepare('DELETE FROM audit_log WHERE id >= ? RETURNING id')
    .bind(future)
    .all<{ id: number }>()
  return results.map((row) => row.id)
}

test('entries of two databases have different ids, also after a clock that was ahead', async () => {
  const future = (Date.now() + 60 * 60 * 1000) * 2048
  // Other tests set the clock forward too, some beyond the ids that stay exact.
  for (const d1 of [env.DB, env.DB_1])
    await d1.prepare('DELETE FROM audit_log WHERE id >= ?').bind(future).run()
  const [, ...ids] = await addEntries('DB', future)
  const [, ...others] = await addEntries('DB_1', future)
  expect(ids).toHaveLength(5)
  expect(new Set([...ids, ...others]).size).toBe(10)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(Math.max(...ids) - future).toBeLessThan(5 * 2 ** 16)
})
