import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Restrictions } from '../../src/access/restrictions.ts'
import { measureNames, measureRules } from '../../src/model/summary/measure-names.ts'
import { customMethods, namespace } from '../../src/odata/metadata.ts'
import { everything } from '../examples/everything.ts'
import { createKey } from '../keys.ts'
import { muteLog } from '../logs/mute.ts'
import { callTool, newAssistantKey } from '../mcp/assistant.ts'
import { openOData } from '../odata/service.ts'
import { newOrganisation } from '../organisation.ts'
import { scatter } from '../resources/summary/sample.ts'
import { runs } from '../runs.ts'

/*
 * Two organisations whose records differ in nothing but one property, or in what a hidden collection has. Whoever may
 * not see this gets the same figures from both, and whoever may does not.
 */

const dateOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + 4 * n, 9)).toISOString()
const peopleOf = (n: number) => ({ memberIds: [`m-${n}`], volunteerIds: [], partnerIds: [] })

/** What differs between two organisations: some values of their records, or of the members to whom these refer. */
type Difference = {
  hidden: string
  values: (n: number) => Record<string, unknown>
  isOfMembers?: true
  /** Whether the records themselves are hidden, so that every question is refused. */
  isRefused?: true
  restrictions: Restrictions
}

const hideField = (hidden: string, other: (n: number) => unknown): Difference => ({
  hidden,
  values: (n) => ({ [hidden]: other(n) }),
  restrictions: { hideFields: [hidden] },
})

type Twins = {
  set: string
  document: (n: number) => Record<string, unknown>
  /** Each changes the figures of those who may see it. */
  differences: readonly Difference[]
  /** What measures and `$by` name. */
  fields: readonly string[]
  bys: readonly string[]
  filters: readonly string[]
  /** What `$apply` names. */
  properties: readonly string[]
  /** The number of questions about each hidden property. */
  questions: number
}

/** A day of birth: the members are between 3 and 78 years old. */
const birth = (n: number) => `${1948 + scatter(n, 2, 75)}-06-15`
const otherBirth = (n: number) => birth(n + 8)

const memberFields = Object.entries({ Born: 'date', Consent: 'boolean' }).map(
  ([id, type], order) => ({ id, name: id, label: id, type, order }),
)

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
    differences: [
      hideField('surveyScore', (n) => 50 + scatter(n, 5, 40)),
      hideField('date', (n) => dateOf(60 - n)),
      hideField('linkedEntities', (n) => peopleOf(scatter(n, 1, 4))),
    ],
    fields: ['surveyScore', 'date', 'linkedEntities.memberIds', 'surveyId'],
    bys: ['', 'surveyId', 'month(date)', 'surveyScore', 'linkedEntities.memberIds'],
    filters: ['', 'surveyScore gt 12'],
    properties: ['surveyScore', 'date', 'surveyId'],
    questions: 40,
  },
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
    differences: [
      // Each of the first five decides who came.
      hideField('orgStatus', (n) => (n % 7 > 3 ? ['attended', ''][scatter(n, 5, 2)] : '')),
      hideField('attending', (n) => scatter(n, 5, 2) > 0),
      hideField('date', (n) => `${scatter(n, 5, 2) > 0 ? 2025 : 2125}-03-0${1 + (n % 9)}`),
      hideField('eventId', (n) => `e-${n % 2}`),
      hideField('childEventId', (n) => `e-${n % 3}`),
      hideField('memberId', (n) => `m-${scatter(n, 5, 8)}`),
      { ...hideField('Born', otherBirth), isOfMembers: true },
      {
        hidden: 'member',
        values: (n) => ({ Born: otherBirth(n) }),
        isOfMembers: true,
        restrictions: { collections: ['bookings'] },
      },
      {
        hidden: 'booking',
        values: (n) => ({ date: dateOf(60 - n).slice(0, 10) }),
        isRefused: true,
        restrictions: { collections: ['members'] },
      },
    ],
    fields: ['duration', 'date', 'orgStatus', 'attending', 'eventId', 'came', 'member.Consent'],
    bys: [
      ...['', 'came', 'orgStatus', 'month(date)', 'eventId', 'childEventId'],
      ...['age(member.Born,date)', 'age(member.Born)', 'age(member.Born,date),came'],
    ],
    filters: [
      ...['', 'came eq true', 'duration gt 4 and not (came eq true)'],
      'age(member.Born,date) ge 16 and age(member.Born,date) le 40',
    ],
    properties: ['duration', 'attending', 'date', 'came', 'member/Born', 'Age'],
    questions: 15,
  },
}

async function newTwin(collection: string, difference?: Difference) {
  const organisation = await newOrganisation(memberFields)
  const put = (name: string, count: number, documentOf: (n: number) => object, differs: boolean) =>
    organisation.put(
      name,
      Array.from({ length: count }, (_, n) => ({
        id: `${name === 'members' ? 'm' : 'r'}-${n}`,
        document: { ...documentOf(n), ...(differs && difference?.values(n)) },
      })),
    )
  const isOfMembers = difference?.isOfMembers ?? false
  const { document } = collections[collection] ?? {}
  const example = everything[collection]?.document
  await put(
    'members',
    8,
    (n) => ({ memberId: `m-${n}`, Born: birth(n), Consent: n % 3 > 0 }),
    isOfMembers,
  )
  await put(collection, 60, (n) => ({ ...example, ...document?.(n) }), !isOfMembers)
  return organisation
}

const methods = ['sum', 'average', 'min', 'max', 'countdistinct'].concat(
  customMethods.map((name) => `${namespace}.${name}`),
)
/** A question: an address of the API or of OData, or the input of the tool of assistants. */
type Question = string | Record<string, string>

/** Questions in the form of `$summary`, also to assistants. */
const summaries = (collection: string, { fields, bys, filters }: Twins): fc.Arbitrary<Question> => {
  const measures = measureNames.flatMap((name) => {
    const { arguments: expected } = measureRules[name]
    const chosen = expected.includes('field') ? fields : ['']
    return chosen.map((field) => {
      const given = expected.map((argument) => (argument === 'field' ? field : '3'))
      return given.length > 0 ? `${name}(${given.join()})` : name
    })
  })
  return fc
    .record({
      measures: fc.constantFrom(...measures),
      by: fc.constantFrom(...bys),
      filter: fc.constantFrom(...filters),
      ofAssistant: fc.nat(3),
    })
    .map(({ measures, by, filter, ofAssistant }) => {
      const chosen = { measures, ...(by && { by }), ...(filter && { filter }) }
      if (ofAssistant === 0) return { collection, ...chosen }
      const named = Object.entries(chosen).map(([name, value]) => [`$${name}`, value])
      return `/${collection}/$summary?${new URLSearchParams(named)}`
    })
}

const counts = (collection: string, { filters }: Twins): fc.Arbitrary<Question> =>
  fc
    .constantFrom(...filters)
    .map(
      (filter) =>
        `/${collection}?${new URLSearchParams({ $count: 'true', $top: '0', ...(filter && { $filter: filter }) })}`,
    )

/** The spelling of a name of `$filter` in OData. */
const toODataName = (filter: string) =>
  filter.replaceAll(/age\(member\.(\w+),/g, `${namespace}.age(member/$1,`)

const applied = ({ set, properties, filters }: Twins): fc.Arbitrary<Question> =>
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
      const text = [
        ...([property, by].includes('Age')
          ? [`compute(${namespace}.age(member/Born,date) as Age)`]
          : []),
        ...(filter ? [`filter(${toODataName(filter)})`] : []),
        by ? `groupby((${by}),${aggregate})` : aggregate,
      ].join('/')
      return `${set}?$apply=${encodeURIComponent(text + further)}`
    })

const differences = Object.entries(collections).flatMap(([collection, twins]) =>
  twins.differences.map((difference) => ({ ...difference, collection, twins })),
)

test.each(differences)(
  'no measure of $collection tells a hidden $hidden',
  async ({ collection, twins: shape, ...difference }) => {
    // OData logs what it does not support.
    muteLog()
    const twins = [await newTwin(collection), await newTwin(collection, difference)]
    const askers = await Promise.all(
      twins.map(async ({ id, key, get }) => {
        const { restrictions } = difference
        const restricted = await createKey(env, id, 'a', 'a', undefined, ['read'], restrictions)
        const [assistant, unrestricted] = [
          await newAssistantKey(id, restrictions),
          await newAssistantKey(id, {}),
        ]
        return async (question: Question, seesAll: boolean) => {
          if (typeof question !== 'string') {
            const used = seesAll ? unrestricted : assistant
            const { text, isError } = await callTool(used, 'summarise', question)
            return { isOk: !isError, text: text.replaceAll(/records-\w+/g, 'records') }
          }
          const used = seesAll ? key : restricted.key
          const response = question.startsWith('/')
            ? await get(question, { headers: { 'x-api-key': used } })
            : await openOData({ id, key: used }).get(question)
          const text = (await response.text()).replaceAll(id, 'organisation')
          return { isOk: response.ok, status: response.status, text }
        }
      }),
    )
    const askBoth = (question: Question, seesAll: boolean) =>
      Promise.all(askers.map((ask) => ask(question, seesAll)))
    let succeeded = 0
    let differs = false
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 3, arbitrary: summaries(collection, shape) },
          { weight: 3, arbitrary: applied(shape) },
          counts(collection, shape),
        ),
        async (question) => {
          const [one, other] = await askBoth(question, false)
          expect(other).toEqual(one)
          if (one?.isOk) succeeded++
          if (difference.isRefused && String(question).includes('/$summary'))
            expect(one?.status).toBe(403)
          // One question that tells them apart is enough.
          if (differs) return
          const [seen, otherSeen] = await askBoth(question, true)
          differs = seen?.text !== otherSeen?.text
        },
      ),
      runs(shape.questions),
    )
    expect(succeeded > 0).toBe(!difference.isRefused)
    expect(differs).toBe(true)
  },
  120_000,
)
