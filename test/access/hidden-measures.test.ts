import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureNames, measureRules } from '../../src/model/summary/measure-names.ts'
import { customMethods, namespace } from '../../src/odata/metadata.ts'
import { everything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { openOData } from '../odata/service.ts'
import { newOrganisation } from '../organisation.ts'
import { scatter } from '../resources/summary/sample.ts'
import { runs } from '../runs.ts'

/*
 * Two organisations whose records differ in nothing but one property. Whoever may not see this property gets the same
 * figures from both, and whoever may does not.
 */

const dateOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + 4 * n, 9)).toISOString()
const peopleOf = (n: number) => ({ memberIds: [`m-${n}`], volunteerIds: [], partnerIds: [] })

type Twins = {
  set: string
  document: (n: number) => Record<string, unknown>
  /** Another value of each hidden property, which changes the figures. */
  others: Readonly<Record<string, (n: number) => unknown>>
  /** What measures and `$by` name. */
  fields: readonly string[]
  bys: readonly string[]
  filters: readonly string[]
  /** What `$apply` names. */
  properties: readonly string[]
  /** The number of questions about each hidden property. */
  questions: number
}

const collections: Record<string, Twins> = {
  'survey-responses': {
    set: 'SurveyResponses',
    document: (n) => ({
      responseId: `r-${n}`,
      surveyId: `s-${n % 3}`,
      date: dateOf(n),
      surveyScore: 5 + scatter(n, 0, 21),
      linkedEntities: peopleOf(scatter(n, 3, 8)),
    }),
    others: {
      surveyScore: (n) => 50 + scatter(n, 5, 40),
      date: (n) => dateOf(60 - n),
      linkedEntities: (n) => peopleOf(scatter(n, 1, 4)),
    },
    fields: ['surveyScore', 'date', 'linkedEntities.memberIds', 'surveyId'],
    bys: ['', 'surveyId', 'month(date)', 'surveyScore', 'linkedEntities.memberIds'],
    filters: ['', 'surveyScore gt 12'],
    properties: ['surveyScore', 'date', 'surveyId'],
    questions: 80,
  },
  // Each of these decides who came.
  bookings: {
    set: 'Bookings',
    document: (n) => ({
      bookingId: `r-${n}`,
      eventId: `e-${n % 7}`,
      childEventId: null,
      memberId: `m-${scatter(n, 3, 8)}`,
      date: dateOf(scatter(n, 4, 30)).slice(0, 10),
      attending: scatter(n, 1, 3) > 0,
      orgStatus: n % 7 < 3 ? ['attended', 'absent', ''][scatter(n, 2, 3)] : '',
      duration: scatter(n, 0, 21),
    }),
    others: {
      orgStatus: (n) => (n % 7 > 3 ? ['attended', ''][scatter(n, 5, 2)] : ''),
      attending: (n) => scatter(n, 5, 2) > 0,
      date: (n) => `${scatter(n, 5, 2) > 0 ? 2025 : 2125}-03-0${1 + (n % 9)}`,
      eventId: (n) => `e-${n % 2}`,
      childEventId: (n) => `e-${n % 3}`,
    },
    fields: ['duration', 'date', 'orgStatus', 'attending', 'eventId', 'came'],
    bys: ['', 'came', 'orgStatus', 'month(date)', 'eventId', 'childEventId'],
    filters: ['', 'came eq true', 'duration gt 4 and not (came eq true)'],
    properties: ['duration', 'attending', 'date', 'came'],
    questions: 25,
  },
}

async function newTwin(collection: string, hidden?: string) {
  const { document, others } = collections[collection] ?? {}
  const organisation = await newOrganisation()
  await organisation.put(
    collection,
    Array.from({ length: 60 }, (_, n) => ({
      id: `r-${n}`,
      document: {
        ...everything[collection]?.document,
        ...document?.(n),
        ...(hidden && { [hidden]: others?.[hidden]?.(n) }),
      },
    })),
  )
  return organisation
}

const methods = ['sum', 'average', 'min', 'max', 'countdistinct'].concat(
  customMethods.map((name) => `${namespace}.${name}`),
)
/** Questions in the form of `$summary` and of lists. */
const summaries = (collection: string, { fields, bys, filters }: Twins) => {
  const measures = measureNames.flatMap((name) => {
    const { argument } = measureRules[name]
    if (argument === 'none') return [name]
    return argument === 'number' ? [`${name}(3)`] : fields.map((field) => `${name}(${field})`)
  })
  return fc
    .record({
      measure: fc.constantFrom(...measures),
      by: fc.constantFrom(...bys),
      filter: fc.constantFrom(...filters),
    })
    .map(
      ({ measure, by, filter }) =>
        `/${collection}/$summary?${new URLSearchParams({
          $measures: measure,
          ...(by && { $by: by }),
          ...(filter && { $filter: filter }),
        })}`,
    )
}

const counts = (collection: string, { filters }: Twins) =>
  fc
    .constantFrom(...filters)
    .map(
      (filter) =>
        `/${collection}?${new URLSearchParams({ $count: 'true', $top: '0', ...(filter && { $filter: filter }) })}`,
    )

const applied = ({ set, properties, filters }: Twins) =>
  fc
    .record({
      method: fc.constantFrom(...methods),
      property: fc.constantFrom(...properties),
      by: fc.constantFrom('', ...properties),
      filter: fc.constantFrom(...filters),
      further: fc.constantFrom(
        '',
        '/filter(n ge 3)',
        '/filter(n ge 3)/aggregate(It with max as Max)',
      ),
    })
    .map(({ method, property, by, filter, further }) => {
      const aggregate = `aggregate($count as n,${property} with ${method} as It)`
      const text =
        (filter && `filter(${filter})/`) + (by ? `groupby((${by}),${aggregate})` : aggregate)
      return `${set}?$apply=${encodeURIComponent(text + further)}`
    })

const hiddenProperties = Object.entries(collections).flatMap(([collection, { others }]) =>
  Object.keys(others).map((hidden) => [collection, hidden] as const),
)

test.each(hiddenProperties)(
  'no measure of %s tells a hidden %s',
  async (collection, hidden) => {
    // OData logs what it does not support.
    muteLog()
    const shape = collections[collection]
    if (!shape) throw new Error(`There are no twins of ${collection}.`)
    const twins = [await newTwin(collection), await newTwin(collection, hidden)]
    const askers = await Promise.all(
      twins.map(async ({ id, key, get }) => {
        const restricted = await createKey(env, id, 'a', 'a', undefined, ['read'], {
          hideFields: [hidden],
        })
        return (path: string, seesAll: boolean) => {
          const used = seesAll ? key : restricted.key
          if (path.startsWith('/')) return get(path, { headers: { 'x-api-key': used } })
          return openOData({ id, key: used }).get(path)
        }
      }),
    )
    const [one, other] = await Promise.all(
      twins.map(async ({ id }, index) => async (path: string, seesAll: boolean) => {
        const response = await askers[index]?.(path, seesAll)
        return [response?.status, (await response?.text())?.replaceAll(id, 'organisation')]
      }),
    )
    let [succeeded, differing] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 3, arbitrary: summaries(collection, shape) },
          { weight: 3, arbitrary: applied(shape) },
          counts(collection, shape),
        ),
        async (path) => {
          const answer = await one?.(path, false)
          expect(await other?.(path, false)).toEqual(answer)
          if (answer?.[0] === 200) succeeded++
          if (String(await one?.(path, true)) !== String(await other?.(path, true))) differing++
        },
      ),
      runs(shape.questions),
    )
    expect(succeeded).toBeGreaterThan(0)
    expect(differing).toBeGreaterThan(0)
  },
  120_000,
)
