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

const conditions = [
  'attending eq true',
  'came eq true',
  'date ge 2025-01-01',
  "orgStatus eq 'attended'",
]
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

/** The value of a name in an entity, or in that of its member. */
type ReadValue = (entity: Entity, name: string) => unknown

/** Questions about the results of a first grouping. */
const chains = fc.record({
  condition: fc.option(fc.constantFrom(...conditions)),
  inner: fc.uniqueArray(
    fc.constantFrom('memberId', 'member/Ward', 'member/PhotoConsent', 'orgStatus'),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  kept: fc.nat({ max: 2 }),
  least: fc.integer({ min: 1, max: 6 }),
  method: fc.constantFrom(...Object.keys(naive)),
})

test('further transformations have the figures of the results before them', async () => {
  const members = await readAll('Members')
  const memberOf = new Map(members.map((member) => [member.memberId, member]))
  const readValue: ReadValue = (entity, name) => {
    const [first, second] = name.split('/')
    const value = second ? memberOf.get(entity.memberId)?.[second] : entity[first ?? '']
    return value === '' ? null : (value ?? null)
  }
  let compared = 0
  await fc.assert(
    fc.asyncProperty(chains, async ({ condition, inner, kept, least, method }) => {
      const outer = inner.slice(0, kept)
      const aggregate = `aggregate($count as N,n with ${method} as Result)`
      const { value } = await apply(
        [
          ...(condition ? [`filter(${condition})`] : []),
          `groupby((${inner.join(',')}),aggregate($count as n))`,
          `filter(n ge ${least})`,
          outer.length > 0 ? `groupby((${outer.join(',')}),${aggregate})` : aggregate,
        ].join('/'),
      )
      const entities = await readAll(
        `Bookings${condition ? `?$filter=${encodeURIComponent(condition)}` : ''}`,
      )
      const keyOf = (entity: Entity, names: readonly string[], of: ReadValue) =>
        JSON.stringify(names.map((name) => of(entity, name)))
      const counted = Map.groupBy(entities, (entity) => keyOf(entity, inner, readValue))
      const frequent = [...counted.values()].filter((records) => records.length >= least)
      const expected = Map.groupBy(frequent, ([entity = {}]) => keyOf(entity, outer, readValue))
      const shown: ReadValue = (entity, name) => {
        const [first = '', second] = name.split('/')
        return second ? Object(entity[first])[second] : entity[first]
      }
      if (outer.length > 0)
        expect(value.map((entity) => keyOf(entity, outer, shown)).toSorted()).toEqual(
          [...expected.keys()].toSorted(),
        )
      for (const entity of value) {
        const counts = (expected.get(keyOf(entity, outer, shown)) ?? []).map((it) => it.length)
        const result = naive[method]?.(counts) ?? null
        expect(entity.N).toBe(counts.length)
        if (result === null) expect(entity.Result).toBeNull()
        else expect(entity.Result).toBeCloseTo(result, 9)
        compared++
      }
    }),
    runs(40),
  )
  expect(compared).toBeGreaterThan(20)
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
  ['aggregate(duration with sum as A)/filter(B gt 1)', 400],
  ['groupby((orgStatus))/aggregate(duration with sum as A)', 400],
  ['groupby((memberId),aggregate($count as n))/aggregate(n with sum as n)', 400],
  [
    'groupby((memberId),aggregate(duration with sum as n))/aggregate(n with DataPlatform.averageFirst as A)',
    501,
  ],
  ['groupby((memberId))/compute(DataPlatform.month(date) as Month)', 501],
  ['compute(DataPlatform.month(orgStatus) as Month)/groupby((Month))', 400],
  ['compute(month(date) as Month)/groupby((Month))', 501],
  ['compute(DataPlatform.month(date) as date)/groupby((date))', 400],
  ['groupby((member/Nothing))', 400],
  ['groupby((event/tags))', 501],
  [`aggregate($count as A)${'/aggregate($count as A)'.repeat(10)}`, 400],
  ['aggregate(duration with stdev as A)', 501],
  ['topcount(2,duration)', 501],
  ['groupby((orgStatus,date,eventId,memberId,duration))', 501],
  ['aggregate(orgStatus with sum as A)', 400],
  ['aggregate(duration with sum as duration)', 400],
  ['aggregate($count as A,$count as A)', 400],
  ['groupby((Nothing))', 400],
  ['groupby((orgStatus)', 400],
  ['filter(Nothing eq 1)/aggregate($count as A)', 400],
  ["filter(duration eq 'long')/aggregate($count as A)", 400],
  ["filter(duration in (1,'long'))/aggregate($count as A)", 400],
  ["filter(DataPlatform.age(member/Born,date) ge 'old')/aggregate($count as A)", 400],
  ['filter(DataPlatform.age(duration,date) ge 3)/aggregate($count as A)', 400],
  ['filter(not (DataPlatform.age(member/Born,date) ge 3))/aggregate($count as A)', 400],
  ['filter(length(orgStatus) eq 3)/aggregate($count as A)', 501],
  ["aggregate($count as A)/filter(A eq 'many')", 400],
  ['nonsense', 400],
])('$apply=%s is refused with %i', async (text, status) => {
  const error = await odata.error(`Bookings?$apply=${encodeURIComponent(text)}`)
  expect([error[0], String(error[2])]).toEqual([status, expect.stringMatching(/^\$apply: /)])
})

test('$apply takes no other options but $format', async () => {
  const [status] = await odata.error('Bookings?$apply=aggregate($count as A)&$top=1')
  expect(status).toBe(501)
})

test('a hidden property is the error of an unknown one', async () => {
  const { key } = await createKey(env, organisation.id, 'a', 'a test', undefined, ['read'], {
    hideFields: ['orgStatus', 'Ward'],
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
  const [status, , message] = await error('Bookings?$apply=groupby((member/Ward))')
  expect([status, message]).toEqual([400, '$apply: Members has no property "Ward".'])
})
