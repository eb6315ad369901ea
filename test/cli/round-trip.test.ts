import { beforeAll, describe, expect, test } from 'vitest'
import { organisation as demo } from '../../cli/demo/demo.ts'
import { loadDemo } from '../../cli/demo/load-demo.ts'
import { collections } from '../../cli/import/targets.ts'
import { createKey } from '../../src/auth/api-keys.ts'
import { kinds } from '../../src/people/schema.ts'
import { asking, localState, newOrganisation } from './local-state.ts'

type Answer = Record<string, unknown>
type Asked = Pick<Awaited<ReturnType<typeof newOrganisation>>, 'id' | 'get'>

const bindings = await localState()
const singles = { forms: 'formId', 'grant-applications': 'applicationId', funds: 'fundId' }
const other = await newOrganisation(bindings)
let one: Asked
let exported: Record<string, string>

/** Everything an organisation is served with, as files to import: lists page by page, and one by one what lists show only a part of. */
async function exportOf({ id, get }: Asked): Promise<Record<string, string>> {
  const files: Record<string, unknown> = {}
  const schemas = Object.keys(kinds).map(async (kind) => [
    kind,
    await get(`schemas/${id}?kind=${kind}`),
  ])
  files['schemas.json'] = Object.fromEntries(await Promise.all(schemas))
  for (const name of collections) {
    const records = await pagesOf(get, name)
    const idName = Object.entries(singles).find(([segment]) => segment === name)?.[1]
    files[`${name}.json`] = idName
      ? await Promise.all(
          records.map(async (record) => Object.values(await get(`${name}/${record[idName]}`))[0]),
        )
      : records
  }
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)]),
  )
}

async function pagesOf(get: Asked['get'], name: string): Promise<Answer[]> {
  const all: Answer[] = []
  for (;;) {
    const [page] = Object.values(
      await get<Record<string, Answer[]>>(`${name}?limit=250&offset=${all.length}`),
    )
    if (!page || page.length === 0) return all
    all.push(...page)
  }
}

// An organisation's records are its own: who moves them to another says so.
const handedTo = (id: string, files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      text.replaceAll(`"${demo.id}"`, JSON.stringify(id)),
    ]),
  )

beforeAll(async () => {
  await loadDemo(bindings.DB)
  const { key } = await createKey(bindings, demo.id, 'a test', 'a test')
  one = { id: demo.id, get: asking(bindings, key) }
  exported = await exportOf(one)
})

describe('what the API serves', () => {
  test('is all that there is', async () => {
    const { results } = await bindings.DB.prepare(
      'SELECT collection, count(*) AS records FROM records WHERE organisation_id = ? GROUP BY 1',
    )
      .bind(demo.id)
      .all<{ collection: string; records: number }>()
    expect(results).toHaveLength(collections.length)
    for (const { collection, records } of results) {
      expect([collection, JSON.parse(exported[`${collection}.json`] ?? '').length]).toEqual([
        collection,
        records,
      ])
    }
  })

  test('is refused by another organisation, as it belongs to the first', async () => {
    const outcome = await other.import({ 'events.json': exported['events.json'] ?? '' })
    const faults = Array(60).fill({ line: 1, field: 'managedBy', reason: `must be ${other.id}.` })
    expect(outcome).toEqual({ 'events.json': { faults } })
  })

  test('can be imported again, and is then served the same', async () => {
    const given = handedTo(other.id, exported)
    const outcome = await other.import(given)
    expect(Object.values(outcome)).toEqual(Object.values(outcome).map(() => expect.any(Number)))
    expect(await exportOf(other)).toEqual(given)
  })

  test('can be imported over itself, and nothing changes', async () => {
    const kept = () =>
      bindings.DB.prepare('SELECT * FROM records WHERE organisation_id = ?').bind(other.id).all()
    const { results } = await kept()
    await other.import(handedTo(other.id, exported))
    expect((await kept()).results).toEqual(results)
  })
})

test('a demo that was broken off while it loaded is loaded whole the next time', async () => {
  const db = bindings.DB
  await db.batch(
    ['api_keys', 'audit', 'memberships', 'schemas', 'organisations', 'records'].map((table) =>
      db
        .prepare(
          `DELETE FROM ${table} WHERE ${table === 'organisations' ? 'id' : 'organisation_id'} = ?`,
        )
        .bind(demo.id),
    ),
  )
  let statements = 0
  const failing: D1Database = Object.assign(Object.create(db), {
    prepare(query: string) {
      if (++statements > 5) throw new Error('The machine was switched off.')
      return db.prepare(query)
    },
  })
  await expect(loadDemo(failing)).rejects.toThrow('switched off')
  const known = () =>
    db.prepare('SELECT id FROM organisations WHERE id = ?').bind(demo.id).first('id')
  expect(await known()).toBeNull()
  await loadDemo(db)
  expect(await known()).toBe(demo.id)
  const { key } = await createKey(bindings, demo.id, 'a test', 'a test')
  expect(await exportOf({ id: demo.id, get: asking(bindings, key) })).toEqual(exported)
})
