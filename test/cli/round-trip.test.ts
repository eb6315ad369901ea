import { beforeAll, describe, expect, test } from 'vitest'
import { importFiles } from '../../cli/commands/import-files.ts'
import { asOf, organisation as demo, folder, isDemoLoaded, loadDemo } from '../../cli/demo.ts'
import { createKey } from '../../src/auth/key-acts.ts'
import { kinds } from '../../src/model/schema.ts'
import { records } from './demo/records.ts'
import { asking, localState, newOrganisation } from './local-state.ts'

type Answer = Record<string, unknown>
type Asked = Pick<Awaited<ReturnType<typeof newOrganisation>>, 'id' | 'get'>

const bindings = await localState()
const singles = { forms: 'formId', 'grant-applications': 'applicationId', funds: 'fundId' }
const other = await newOrganisation(bindings)
let one: Asked
let exported: Record<string, string>
let loadedAtFirst = false

/** Everything an organisation is served with, as files to import: lists page by page, and one by one what lists show only a part of. */
async function exportOf({ id, get }: Asked): Promise<Record<string, string>> {
  const files: Record<string, unknown> = {}
  const schemas = Object.keys(kinds).map(async (kind) => [
    kind,
    await get(`schemas/${id}?kind=${kind}`),
  ])
  files['schemas.json'] = Object.fromEntries(await Promise.all(schemas))
  for (const name of Object.keys(records)) {
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
      text.replace(/(?<="|\/schemas\/)demo(?=")/g, id),
    ]),
  )

beforeAll(async () => {
  // After the first file, and before answers are embedded, which is after all files but the last.
  for (const [text, told] of [
    ['INSERT INTO imports', 'records are kept, then the import broke off'],
    ["'schemaForm'", 'switched off'],
  ] as const) {
    const broken = { ...bindings, DB: failingAt(text) }
    await expect(loadDemo(broken, asOf)).rejects.toThrow(told)
    loadedAtFirst ||= await isDemoLoaded(bindings.DB)
  }
  await loadDemo(bindings, asOf)
  const { key } = await createKey(bindings, demo.id, 'a test', 'a test')
  one = { id: demo.id, get: asking(bindings, key) }
  exported = await exportOf(one)
})

/** The database until it is asked something that has this text in it. */
function failingAt(text: string): D1Database {
  return Object.assign(Object.create(bindings.DB), {
    prepare(query: string) {
      if (query.includes(text)) throw new Error('The machine was switched off.')
      return bindings.DB.prepare(query)
    },
  })
}

test('a demo whose loading was broken off is known not to be whole, and loaded again', async () => {
  expect(loadedAtFirst).toBe(false)
  expect(await isDemoLoaded(bindings.DB)).toBe(true)
})

test("the demo's folder can be imported by anyone, as it is", async () => {
  const anyone = await newOrganisation(bindings)
  const outcomes = await Array.fromAsync(importFiles([folder], anyone.to))
  expect(outcomes.flatMap(({ faults }) => faults)).toEqual([])
  const served = await exportOf(anyone)
  const given = handedTo(anyone.id, exported)
  expect(Object.keys(served).filter((name) => served[name] !== given[name])).toEqual([])
})

test('what a member of the demo answered, and where they live, is in their record', async () => {
  const { member } = await one.get<{ member: { fields: { key: string; value: unknown }[] } }>(
    'members/member-0001',
  )
  const values = Object.fromEntries(member.fields.map(({ key, value }) => [key, value]))
  expect(values).toMatchObject({
    'Full Name': 'Amara Abara',
    'Postcode.lad': 'Leeds',
    Interests: ['Cooking', 'Gardening', 'Wellbeing'],
  })
})

describe('what the API serves', () => {
  test('is all that there is', () => {
    for (const [name, given] of Object.entries(records)) {
      const { length } = JSON.parse(exported[`${name}.json`] ?? '')
      expect([name, length]).toEqual([name, given.length])
    }
  })

  test('is refused by another organisation, as it belongs to the first', async () => {
    const outcome = await other.import({ 'events.json': exported['events.json'] ?? '' })
    const faults = Array(records.events?.length).fill({
      line: 1,
      field: 'managedBy',
      reason: `must be ${other.id}.`,
    })
    expect(outcome).toEqual({ 'events.json': { faults } })
  })

  test('can be imported again, and is then served the same', async () => {
    const given = handedTo(other.id, exported)
    const outcome = await other.import(given)
    expect(Object.values(outcome)).toEqual(Object.values(outcome).map(() => expect.any(Number)))
    const again = await exportOf(other)
    expect(Object.keys(again).filter((name) => again[name] !== given[name])).toEqual([])
  })

  test('can be imported over itself, and nothing changes', async () => {
    const kept = () =>
      bindings.DB.prepare(
        'SELECT collection, id, position, document FROM records WHERE organisation_id = ?',
      )
        .bind(other.id)
        .all()
    const { results } = await kept()
    await other.import(handedTo(other.id, exported))
    expect(JSON.stringify((await kept()).results) === JSON.stringify(results)).toBe(true)
  })
})
