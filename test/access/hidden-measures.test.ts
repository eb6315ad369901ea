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
 * Two organisations whose survey responses differ in nothing but one property. Whoever may not see this property gets
 * the same figures from both, and whoever may does not.
 */

/** Another value of each property, which changes the figures. */
const others = {
  surveyScore: (n: number) => 50 + scatter(n, 5, 40),
  date: (n: number) => dateOf(60 - n),
  linkedEntities: (n: number) => peopleOf(scatter(n, 1, 4)),
}

const names = Object.keys(others) as (keyof typeof others)[]

const dateOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + 4 * n, 9)).toISOString()
const peopleOf = (n: number) => ({ memberIds: [`m-${n}`], volunteerIds: [], partnerIds: [] })

async function newResponses(other?: keyof typeof others) {
  const organisation = await newOrganisation()
  await organisation.put(
    'survey-responses',
    Array.from({ length: 60 }, (_, n) => ({
      id: `r-${n}`,
      document: {
        ...everything['survey-responses']?.document,
        responseId: `r-${n}`,
        surveyId: `s-${n % 3}`,
        date: dateOf(n),
        surveyScore: 5 + scatter(n, 0, 21),
        linkedEntities: peopleOf(scatter(n, 3, 8)),
        ...(other && { [other]: others[other](n) }),
      },
    })),
  )
  return organisation
}

const fields = ['surveyScore', 'date', 'linkedEntities.memberIds', 'surveyId']
const measures = measureNames.flatMap((name) => {
  const { argument } = measureRules[name]
  if (argument === 'none') return [name]
  return argument === 'number' ? [`${name}(3)`] : fields.map((field) => `${name}(${field})`)
})
const bys = ['', 'surveyId', 'month(date)', 'surveyScore', 'linkedEntities.memberIds']
const methods = ['sum', 'average', 'min', 'max', 'countdistinct'].concat(
  customMethods.map((name) => `${namespace}.${name}`),
)
const properties = ['surveyScore', 'date', 'surveyId']

const summaries = fc
  .record({ measure: fc.constantFrom(...measures), by: fc.constantFrom(...bys) })
  .map(
    ({ measure, by }) =>
      `/survey-responses/$summary?${new URLSearchParams({ $measures: measure, ...(by && { $by: by }) })}`,
  )

const applied = fc
  .record({
    method: fc.constantFrom(...methods),
    property: fc.constantFrom(...properties),
    by: fc.constantFrom('', ...properties),
    further: fc.constantFrom(
      '',
      '/filter(n ge 3)',
      '/filter(n ge 3)/aggregate(It with max as Max)',
    ),
  })
  .map(({ method, property, by, further }) => {
    const aggregate = `aggregate($count as n,${property} with ${method} as It)`
    const text = by ? `groupby((${by}),${aggregate})` : aggregate
    return `SurveyResponses?$apply=${encodeURIComponent(text + further)}`
  })

test.each(names)(
  'no measure tells a hidden %s',
  async (hidden) => {
    // OData logs what it does not support.
    muteLog()
    const twins = [await newResponses(), await newResponses(hidden)]
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
      fc.asyncProperty(fc.oneof(summaries, applied), async (path) => {
        const answer = await one?.(path, false)
        expect(await other?.(path, false)).toEqual(answer)
        if (answer?.[0] === 200) succeeded++
        if (String(await one?.(path, true)) !== String(await other?.(path, true))) differing++
      }),
      runs(120),
    )
    expect(succeeded).toBeGreaterThan(10)
    expect(differing).toBeGreaterThan(10)
  },
  120_000,
)
