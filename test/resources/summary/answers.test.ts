import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { Restrictions } from '../../../src/access/restrictions.ts'
import { createKey } from '../../keys.ts'
import { rowsRead } from '../../organisation.ts'
import { newSurveyOrganisation } from './survey.ts'

let organisation: Awaited<ReturnType<typeof newSurveyOrganisation>>
let responses: Response[]

type Response = {
  date: string
  surveyScore: number | null
  responses: { questionId: string; response: unknown }[]
  linkedEntities: { memberIds: string[] }
}

const [answered, people] = [150, 40]

beforeAll(async () => {
  organisation = await newSurveyOrganisation({ responses: answered, others: 70, people })
  const download = await organisation.get('/survey-responses?$format=ndjson&SurveyId=survey')
  responses = (await download.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(responses).toHaveLength(answered)
}, 60_000)

type Figures = Record<string, unknown>

async function summarise(query: string, key = organisation.key) {
  const path = `/survey-responses/$summary?SurveyId=survey&${query}`
  const response = await organisation.get(path, { headers: { 'x-api-key': key } })
  type Body = { groups: ({ by: unknown[] } & Figures)[]; total: Figures; withoutGroup?: Figures }
  return { response, body: await response.json<Body & { message: string }>() }
}

const keyWith = async (restrictions: Restrictions) => {
  const name = 'restricted'
  return (await createKey(env, organisation.id, name, 'a test', undefined, ['read'], restrictions))
    .key
}

/** The values of a response to a question. */
const valuesOf = ({ responses }: Response, questionId: string): unknown[] =>
  responses
    .filter((answer) => answer.questionId === questionId)
    .flatMap(({ response }) => response)
    .filter((value) => value !== null && value !== '')

const average = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const numbersOf = (records: readonly Response[], questionId: string) =>
  records.flatMap((record) => valuesOf(record, questionId)).filter((it) => typeof it === 'number')

test.each(['feeling', 'came to', 'heard', 'photos'])('answers to %s group', async (id) => {
  const { body } = await summarise(`$by="answers.${id}"`)
  const counts = new Map<unknown, number>()
  for (const value of responses.flatMap((response) => [...new Set(valuesOf(response, id))]))
    counts.set(value, (counts.get(value) ?? 0) + 1)
  expect(new Map(body.groups.map(({ by, count }) => [by[0], count]))).toEqual(counts)
  const without = responses.filter((response) => valuesOf(response, id).length === 0).length
  expect(without).toBeGreaterThan(0)
  expect(body.withoutGroup).toEqual({ count: without })
})

test('answers are measured, whole and by month', async () => {
  const measures = ['feeling', 'hours'].flatMap((id) =>
    ['average', 'min', 'max', 'sum', 'distinct', 'known'].map((name) => `${name}(answers.${id})`),
  )
  const { body } = await summarise(
    `$by=month(date)&$measures=${measures},share(answers.photos),known(answers.wish),known(answers.family)`,
  )
  const measure = (records: readonly Response[]) => {
    const known = (id: string) => records.filter((it) => valuesOf(it, id).length > 0).length
    const photos = records.flatMap((record) => valuesOf(record, 'photos'))
    return {
      ...Object.fromEntries(
        ['feeling', 'hours'].flatMap((id) => {
          const numbers = numbersOf(records, id)
          return [
            [`average(answers.${id})`, expect.closeTo(average(numbers), 8)],
            [`min(answers.${id})`, Math.min(...numbers)],
            [`max(answers.${id})`, Math.max(...numbers)],
            [`sum(answers.${id})`, expect.closeTo(average(numbers) * numbers.length, 8)],
            [`distinct(answers.${id})`, new Set(numbers).size],
            [`known(answers.${id})`, known(id)],
          ]
        }),
      ),
      'share(answers.photos)': expect.closeTo(photos.filter(Boolean).length / photos.length, 8),
      'known(answers.wish)': known('wish'),
      'known(answers.family)': known('family'),
    }
  }
  expect(body.total).toEqual(measure(responses))
  const months = Map.groupBy(responses, ({ date }) => date.slice(0, 7))
  expect(body.groups).toEqual(
    [...months]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([month, records]) => ({ by: [month], ...measure(records) })),
  )
})

test.each([
  ['surveyScore', ({ surveyScore }: Response) => surveyScore],
  ['answers.feeling', (response: Response) => numbersOf([response], 'feeling')[0]],
])('the first and the last %s of the same people, by date', async (name, numberOf) => {
  const byPerson = Map.groupBy(
    responses
      .map((response) => ({ ...response, number: numberOf(response) ?? null }))
      .filter(({ number }) => number !== null)
      .toSorted((one, other) => one.date.localeCompare(other.date)),
    ({ linkedEntities: { memberIds } }) => memberIds[0],
  )
  byPerson.delete(undefined)
  const twice = [...byPerson.values()].filter(({ length }) => length >= 2)
  expect(twice.length).toBeGreaterThan(10)
  expect(twice.length).toBeLessThan(byPerson.size)
  const { body } = await summarise(`$measures=averageFirst(${name}),averageLast(${name})`)
  const at = (index: number) =>
    expect.closeTo(average(twice.map((records) => records.at(index)?.number ?? 0)), 8)
  expect(body.total).toEqual({ [`averageFirst(${name})`]: at(0), [`averageLast(${name})`]: at(-1) })
})

test('few people with two records hide the first and the last average, and the number of others does not', async () => {
  const people = ['a', 'b', 'c', 'a', 'b', 'c', ...'defghijklm']
  await organisation.put(
    'survey-responses',
    people.map((person, n) => ({
      id: `few-${n}`,
      document: {
        ...{ responseId: `few-${n}`, surveyId: 'few', surveyScore: n },
        date: `2026-02-${10 + n}T00:00:00.000Z`,
        linkedEntities: { memberIds: [person] },
      },
    })),
  )
  const measure = async (measures: string) => {
    const path = `/survey-responses/$summary?SurveyId=few&$hideBelow=5&$measures=${measures}`
    return (await organisation.json<{ total: Figures }>(path)).total
  }
  expect(await measure('averageLast(surveyScore)')).toEqual({
    ...{ 'averageLast(surveyScore)': null, hidden: true },
  })
  expect(await measure('people,known(surveyScore)')).toEqual({
    ...{ people: 13, 'known(surveyScore)': 16 },
  })
})

test('an answer far down a long response is found, and a long text groups by its beginning', async () => {
  const answer = (n: number) => ({
    ...{ questionId: `q"${n}`, question: '', outcome: '', type: 'text' },
    response: 'é'.repeat(n),
  })
  await organisation.put('survey-responses', [
    {
      id: 'long',
      document: {
        ...{ responseId: 'long', surveyId: 'long', date: '2026-01-01T00:00:00.000Z' },
        responses: Array.from({ length: 300 }, (_, n) => answer(n)),
      },
    },
  ])
  const answer300 = await organisation.get(
    '/survey-responses/$summary?SurveyId=long&$by="answers.q""299"',
  )
  expect(await answer300.json()).toMatchObject({ groups: [{ by: ['é'.repeat(128)], count: 1 }] })
})

test('filters cannot name answers, and groups of dates need a date', async () => {
  for (const query of ["$filter=answers.heard eq 'A friend'", '$by=month(answers.heard)']) {
    const { response } = await summarise(query)
    expect([query, response.status]).toEqual([query, 400])
  }
})

test.each<[query: string, restrictions: Restrictions, message: string]>([
  ['$by=answers.heard', { hideFields: ['responses'] }, 'no field "answers.heard"'],
  ['$measures=known(answers.heard)', { hideFields: ['responses'] }, 'no field "answers.heard"'],
  ['$measures=averageFirst(surveyScore)', { hideFields: ['linkedEntities'] }, 'refer to people'],
  ['$measures=averageFirst(surveyScore)', { hideFields: ['date'] }, 'records with a date'],
])('%s is refused with %o', async (query, restrictions, message) => {
  const { response, body } = await summarise(query, await keyWith(restrictions))
  expect([response.status, body.message]).toEqual([400, expect.stringContaining(message)])
})

test.each<Restrictions>([
  { hideFields: ['heard'] },
  { hideFields: ['responses.response'] },
  { hideFields: ['free text'] },
  { hideFields: ['special category'] },
])('with %o, answers count as the same key reads them', async (restrictions) => {
  const key = await keyWith(restrictions)
  const headers = { 'x-api-key': key }
  const download = await organisation.get('/survey-responses?$format=ndjson&SurveyId=survey', {
    headers,
  })
  const visible = (await download.text())
    .trim()
    .split('\n')
    .map((line): Response => JSON.parse(line))
  const names = ['heard', 'wish', 'feeling', 'family']
  const { body } = await summarise(`$measures=${names.map((id) => `known(answers.${id})`)}`, key)
  const known = (id: string) => visible.filter((it) => valuesOf(it, id).length > 0).length
  expect(body.total).toEqual(
    Object.fromEntries(names.map((id) => [`known(answers.${id})`, known(id)])),
  )
  expect(names.map(known)).not.toEqual(
    names.map((id) => responses.filter((it) => valuesOf(it, id).length > 0).length),
  )
})

test('answers cost one row a response', async () => {
  const before = rowsRead((await summarise('$by=surveyId')).response)
  const { response } = await summarise('$by=answers.heard&$measures=known(answers.wish)')
  expect(rowsRead(response) - before).toBeLessThanOrEqual(2 * (answered + 70))
})
