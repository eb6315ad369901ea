import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm/sql'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { flag, integer } from '../../src/store/columns.ts'
import { Store } from '../../src/store/store.ts'
import { reasons } from '../../src/store/terms.ts'
import { grantAll } from '../../src/store/trusted-store.ts'
import { wrapDatabase } from '../faults/failing-database.ts'
import { newOrganisation } from '../organisation.ts'

const put = (id: string, organisationId: string) =>
  sql`INSERT INTO saved_views (organisation_id, id, page, name, query, created, created_by)
    VALUES (${organisationId}, ${id}, 'p', ${id}, '', '', '')`

const views = async (id: string) =>
  (await env.DB.prepare('SELECT id FROM saved_views WHERE organisation_id = ?').bind(id).all())
    .results

const entries = async (id: string) =>
  (
    await env.DB.prepare('SELECT action FROM audit_log WHERE organisation_id = ? AND action = ?')
      .bind(id, 'set retention')
      .all()
  ).results.length

test('an obstacle prevents the whole write and its audit entry, and says why', async () => {
  const { id } = await newOrganisation()
  const store = operatorStore(env.DB, id)
  const write = (limit: number, ...ids: string[]) =>
    store.write(
      {
        permissions: ['write'],
        unless: (found) => ({
          full: sql`${found.count} >= ${limit}`,
          taken: reasons<string>(sql`SELECT id AS item FROM saved_views
            WHERE organisation_id = ${id} AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
          unknown: sql`NULL AND false`,
          never: undefined,
        }),
        returns: {
          count: integer(sql`(SELECT count(*) FROM saved_views WHERE organisation_id = ${id})`),
          isFirst: flag(sql`NOT EXISTS (SELECT 1 FROM saved_views WHERE organisation_id = ${id})`),
        },
        audit: { action: 'retention.set', target: 'x' },
      },
      ids.map((view) => put(view, id)),
    )
  // The obstacle `taken` comes true by the first statement, and does not stop the second.
  expect(await write(2, 'a', 'b')).toMatchObject({ refused: undefined, count: 0, isFirst: true })
  const { refused, count } = await write(2, 'c', 'a')
  expect([refused, count]).toEqual([{ full: true, taken: ['a'] }, 2])
  expect(await write(9, 'b', 'a')).toMatchObject({ refused: { taken: ['a', 'b'] } })
  expect([await views(id), await entries(id)]).toEqual([[{ id: 'a' }, { id: 'b' }], 1])
  const unknown = store.write({ permissions: [], unless: { odd: sql`NULL` } }, [put('d', id)])
  expect(await unknown).toMatchObject({ refused: { odd: true } })
  // An error of a later statement takes back everything as well, and is no refusal.
  await expect(
    store.write({ permissions: ['write'] }, [put('e', id), put('a', id)]),
  ).rejects.toThrow('UNIQUE')
  expect(await views(id)).toHaveLength(2)
})

test('a write without a permission throws, and a write succeeds when its obstacle is gone', async () => {
  const { id } = await newOrganisation()
  const access = sql`SELECT 'read' AS permissions, NULL AS restrictions FROM organisations WHERE id = ${id}`
  const reader = new Store({ DB: env.DB }, { ...operatorStore(env.DB, id).credential, access })
  await expect(reader.write({ permissions: ['write'] }, [put('a', id)])).rejects.toThrow('`write`')
  const nobody = new Store(
    { DB: env.DB },
    { ...reader.credential, access: sql`${access} AND false` },
  )
  await expect(nobody.write({ permissions: [] }, [put('a', id)])).rejects.toMatchObject({
    type: 'UNAUTHORIZED',
  })
  expect(await views(id)).toEqual([])

  await operatorStore(env.DB, id).write({ permissions: ['write'] }, [put('a', id)])
  let calls = 0
  const DB = wrapDatabase(env.DB, async (run) => {
    // Between the refused transaction and the read of its reasons.
    if (++calls === 2)
      await env.DB.prepare('DELETE FROM saved_views WHERE organisation_id = ?').bind(id).run()
    return run()
  })
  const store = new Store({ DB }, { ...reader.credential, access: grantAll(id) })
  const isThere = sql`EXISTS (SELECT 1 FROM saved_views WHERE organisation_id = ${id})`
  const written = await store.write({ permissions: ['write'], unless: { isThere } }, [put('b', id)])
  expect([written.refused, calls, await views(id)]).toEqual([undefined, 3, [{ id: 'b' }]])
})

test('the database lets a refused write be recognised, and breaks nothing else', async () => {
  // If an update of D1 changes this text, `isRefused` must follow.
  const refused = env.DB.batch([env.DB.prepare(`SELECT json_extract('{}', 'write_refused')`)])
  await expect(refused).rejects.toThrow("bad JSON path: 'write_refused'")
  expect(await env.DB.prepare('SELECT 1 AS one').first('one')).toBe(1)
})
