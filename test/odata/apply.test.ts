import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createKey } from '../keys.ts'
import { newSampleOrganisation } from '../resources/summary/sample.ts'
import { runs } from '../runs.ts'
import { type Entity, openOData } from './service.ts'

let organisation: Awaited<ReturnType<typeof newSampleOrganisation>>
let odata: ReturnType<typeof openOData>

beforeAll(async () => {
  organisation = await newSampleOrganisation({ people: 40, events: 8, bookings: 300 })
  odata = openOData(organisation)
}, 60_000)

const apply = (text: string) => odata.json(`Bookings?$apply=${encodeURIComponent(text)}`)

/** All entities of a set, page by page. */
async function readAll(path: string): Promise<Entity[]> {
  const { value } = await odata.json(path)
  return value
}

const conditions = ['attending eq true', 'date ge 2025-01-01', "orgStatus eq 'attended'"]
const groups = ['orgStatus', 'attending', 'duration', 'eventId']
const numbers = ['duration', 'customPrice']

/** The numbers of a property, in order of arrival. */
const valuesOf = (entities: readonly Entity[], name: string) =>
  entities.flatMap((entity) => Number(entity[name] ?? Number.NaN)).filter((it) => !Number.isNaN(it))

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const naive: Record<string, (values: number[]) => number | null> = {
  sum: (values) => (values.length > 0 ? add(values) : null),
  average: (values) => (values.length > 0 ? add(values) / values.length : null),
  min: (values) => (values.length > 0 ? Math.min(...values) : null),
  max: (values) => (values.length > 0 ? Math.max(...values) : null),
  countdistinct: (values) => new Set(values).size,
}

const questions = fc.record({
  condition: fc.option(fc.constantFrom(...conditions)),
  by: fc.uniqueArray(fc.constantFrom(...groups), { maxLength: 2 }),
  number: fc.constantFrom(...numbers),
  method: fc.constantFrom(...Object.keys(naive)),
})

test('$apply has the figures of the downloaded entities', async () => {
  await fc.assert(
    fc.asyncProperty(questions, async ({ condition, by, number, method }) => {
      const entities = await readAll(
        `Bookings${condition ? `?$filter=${encodeURIComponent(condition)}` : ''}`,
      )
      const aggregate = `aggregate($count as N,${number} with ${method} as Result)`
      const grouped = by.length > 0 ? `groupby((${by.join(',')}),${aggregate})` : aggregate
      const { value } = await apply(condition ? `filter(${condition})/${grouped}` : grouped)
      const expected = Map.groupBy(entities, (entity) =>
        JSON.stringify(by.map((name) => (entity[name] === '' ? null : entity[name]))),
      )
      if (by.length === 0 && entities.length === 0) return
      const keys = value.map((entity) => JSON.stringify(by.map((name) => entity[name])))
      expect(keys.toSorted()).toEqual([...expected.keys()].toSorted())
      for (const [index, key] of keys.entries()) {
        const records = expected.get(key) ?? []
        expect(value[index]?.N).toBe(records.length)
        const result = naive[method]?.(valuesOf(records, number)) ?? null
        if (result === null) expect(value[index]?.Result).toBeNull()
        else expect(value[index]?.Result).toBeCloseTo(result, 9)
      }
    }),
    runs(40),
  )
}, 120_000)

test('$apply returns entities without an id, and the names of their properties', async () => {
  expect(
    await apply("filter(orgStatus eq 'attended')/groupby((attending),aggregate($count as Number))"),
  ).toEqual({
    '@odata.context': `https://api.test/odata/${organisation.id}/$metadata#Bookings(attending,Number)`,
    value: [
      { '@odata.id': null, attending: false, Number: expect.any(Number) },
      { '@odata.id': null, attending: true, Number: expect.any(Number) },
    ],
  })
})

test.each([
  ['groupby((rollup(orgStatus,date)))', 501],
  ['aggregate(duration with sum as A)/filter(A gt 1)', 501],
  ['aggregate(duration with stdev as A)', 501],
  ['topcount(2,duration)', 501],
  ['groupby((orgStatus,date,eventId))', 501],
  ['aggregate(orgStatus with sum as A)', 400],
  ['aggregate(duration with sum as duration)', 400],
  ['aggregate($count as A,$count as A)', 400],
  ['groupby((Nothing))', 400],
  ['groupby((orgStatus)', 400],
  ['filter(Nothing eq 1)/aggregate($count as A)', 400],
  ['nonsense', 400],
])('$apply=%s is refused with %i', async (text, status) => {
  const error = await odata.error(`Bookings?$apply=${encodeURIComponent(text)}`)
  expect([error[0], String(error[2])]).toEqual([
    status,
    expect.stringMatching(/^\$(apply|filter): /),
  ])
})

test('$apply takes no other options but $format', async () => {
  const [status] = await odata.error('Bookings?$apply=aggregate($count as A)&$top=1')
  expect(status).toBe(501)
})

test('a hidden property is the error of an unknown one', async () => {
  const { key } = await createKey(env, organisation.id, 'a', 'a test', undefined, ['read'], {
    hideFields: ['orgStatus'],
  })
  const { error } = openOData({ id: organisation.id, key })
  for (const text of [
    'groupby((orgStatus))',
    'aggregate(orgStatus with countdistinct as A)',
    "filter(orgStatus eq 'attended')/aggregate($count as A)",
  ]) {
    const [status, , message] = await error(`Bookings?$apply=${encodeURIComponent(text)}`)
    expect([status, message]).toEqual([400, '$apply: Bookings has no property "orgStatus".'])
  }
})
