import { beforeAll, expect, test } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { newOrganisation } from '../organisation.ts'
import { newSurveyOrganisation, surveyForm } from '../resources/summary/survey.ts'
import { newSignedIn, unescaped } from './signed-in.ts'

let organisation: Awaited<ReturnType<typeof newSurveyOrganisation>>

beforeAll(async () => {
  organisation = await newSurveyOrganisation({ responses: 150, others: 40, people: 40 })
}, 60_000)

/** Opens the results of a form as a person with a role. */
async function openResults(role: Role = 'reader', path = '/forms/survey/results') {
  const person = await newSignedIn(role, organisation)
  const response = await person.visit(path)
  return { person, response, html: unescaped(await response.text()) }
}

type Figures = Record<string, number>
type Summary = { groups: (Figures & { by: (string | number | boolean)[] })[]; total: Figures }

const summarise = (query: string) =>
  organisation.json<Summary>(`/survey-responses/$summary?SurveyId=survey&${query}`)

/** The text of a question on the page, without tags. */
function textOf(html: string, questionId: string): string {
  const [, item = ''] =
    new RegExp(`<h3>About ${questionId} (.*?)(?=<h3>|</ol></section>)`, 's').exec(html) ?? []
  return item.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

const rounded = (figure = Number.NaN) => String(Math.round(100 * figure) / 100)
const percent = (share = Number.NaN) => `${Math.round(100 * share)}%`

test.each([
  ['feeling', 'Option '],
  ['came to', 'Option '],
  ['heard', ''],
  ['photos', ''],
])('the choices of %s are those of $summary', async (id) => {
  const { html } = await openResults()
  const text = textOf(html, id)
  const { groups, total } = await summarise(
    `$by="answers.${id}"&$measures=count,known("answers.${id}")`,
  )
  const answered = total[`known(answers.${id})`]
  expect(text).toContain(`${answered} answers, ${150 - Number(answered)} did not answer`)
  const isOption = (value: unknown) =>
    surveyForm.questions.some(
      ({ questionId, options }) =>
        questionId === id && options.some((option) => option.value === value),
    )
  for (const {
    by: [value],
    count,
  } of groups) {
    const label = isOption(value)
      ? `Option ${value}`
      : ({ true: 'Yes', false: 'No' }[String(value)] ?? value)
    expect(text).toContain(` ${label} ${count} ${percent(Number(count) / Number(answered))} `)
  }
})

test('averages, medians and shares are those of $summary', async () => {
  const { html } = await openResults()
  const names = ['average', 'median'].flatMap((name) => [
    `${name}(answers.feeling)`,
    `${name}(answers.hours)`,
  ])
  const { total } = await summarise(
    `$measures=${names},min(answers.hours),max(answers.hours),share(answers.photos)`,
  )
  for (const id of ['feeling', 'hours'])
    expect(textOf(html, id)).toContain(
      `average ${rounded(total[`average(answers.${id})`])}, median ${rounded(total[`median(answers.${id})`])}`,
    )
  expect(textOf(html, 'hours')).toContain(
    `lowest ${rounded(total['min(answers.hours)'])}, highest ${rounded(total['max(answers.hours)'])}`,
  )
  expect(textOf(html, 'photos')).toContain(`${percent(total['share(answers.photos)'])} yes`)
})

/** The cells of the rows of a table by their first cell. */
function readTable(html: string, label: string) {
  const [, table = ''] = new RegExp(`aria-label="${label}">(.*?)</table>`, 's').exec(html) ?? []
  return [...table.matchAll(/<th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].map(
    ([, heading, cells = '']) => [
      heading,
      ...[...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, text]) => text),
    ],
  )
}

test('scores by month are those of $summary', async () => {
  const { html } = await openResults()
  const { groups } = await summarise(
    '$by=month(date)&$measures=count,average(surveyScore),average(answers.feeling)',
  )
  const rows = readTable(html, 'Responses and average scores by month')
  expect(rows.map(([_, ...cells]) => cells)).toEqual(
    groups.map(({ count, ...figures }) => [
      String(count),
      rounded(figures['average(surveyScore)']),
      rounded(figures['average(answers.feeling)']),
    ]),
  )
  expect(rows[0]?.[0]).toBe('Jan 2026')
})

test('scores before and after are those of $summary, and the page says who is left out', async () => {
  const { html } = await openResults()
  const names = ['surveyScore', 'answers.feeling']
  const { total } = await summarise(
    `$measures=people,peopleWithAtLeast(2),${names.map((name) => `averageFirst(${name}),averageLast(${name})`)}`,
  )
  const rows = readTable(html, 'Average scores before and after')
  expect(rows.map(([label, first, last]) => [label, first, last])).toEqual([
    [
      'Score',
      rounded(total['averageFirst(surveyScore)']),
      rounded(total['averageLast(surveyScore)']),
    ],
    [
      'About feeling',
      rounded(total['averageFirst(answers.feeling)']),
      rounded(total['averageLast(answers.feeling)']),
    ],
  ])
  const once = Number(total.people) - Number(total['peopleWithAtLeast(2)'])
  expect(once).toBeGreaterThan(0)
  expect(html).toMatch(new RegExp(`Left out: ${once} (person|people) with one response`))
  const nobody = await organisation.json<{ total: number }>(
    "/survey-responses?limit=1&$count=true&$filter=surveyId eq 'survey' and linkedEntities.memberIds eq null",
  )
  expect(nobody.total).toBeGreaterThan(0)
  expect(html).toContain(`and ${nobody.total} responses without a person`)
})

test('the ten newest texts are quoted, without names', async () => {
  const { html } = await openResults()
  const quotations = [...html.matchAll(/<blockquote>(.*?)<\/blockquote>/gs)].map(([, text]) => text)
  const { surveyResponses } = await organisation.json<{
    surveyResponses: { responses: { questionId: string; response: string }[] }[]
  }>('/survey-responses?SurveyId=survey&limit=150&$orderby=date desc')
  const wishes = surveyResponses
    .flatMap(({ responses }) => responses)
    .filter(({ questionId, response }) => questionId === 'wish' && response !== '')
    .map(({ response }) => (response.length > 500 ? `${response.slice(0, 500)}…` : response))
  expect(quotations).toEqual(wishes.slice(0, 10))
  expect(html).not.toMatch(/member-\d|Child \d/)
})

test('answers that name a person or an address are counted, not quoted', async () => {
  const other = await newOrganisation()
  const ask = (questionId: string, type: string, title: string) => ({
    ...surveyForm.questions[6],
    ...{ questionId, type, title },
  })
  const questions = [
    ask('q1', 'Text Input', 'Your name'),
    ask('q2', 'Text Input', 'E-mail address'),
    ask('q3', 'Location', 'Where do you live?'),
    ask('q4', 'Relationship', 'Who came with you?'),
    ask('q5', 'Text Input', 'What did you like?'),
  ]
  await other.put('forms', [{ id: 'f', document: { ...surveyForm, formId: 'f', questions } }])
  await other.put('survey-responses', [
    {
      id: 'r',
      document: {
        ...{ responseId: 'r', surveyId: 'f', date: '2026-01-01T00:00:00.000Z' },
        responses: questions.map(({ questionId }) => ({
          questionId,
          response: `Private ${questionId}`,
        })),
      },
    },
  ])
  const html = await (await newSignedIn('reader', other)).html('/forms/f/results')
  expect(html.match(/Private \w+/g)).toEqual(['Private q5'])
  expect(html.match(/1 answer</g)).toHaveLength(5)
})

test('a form with many questions and choices shows the first and the most frequent', async () => {
  const other = await newOrganisation()
  const questions = Array.from({ length: 130 }, (_, n) => ({
    ...surveyForm.questions[3],
    ...{ questionId: `q-${n}`, title: `Question ${n}.`, order: n },
  }))
  await other.put('forms', [{ id: 'f', document: { ...surveyForm, formId: 'f', questions } }])
  await other.put(
    'survey-responses',
    Array.from({ length: 60 }, (_, n) => ({
      id: `r-${n}`,
      document: {
        ...{ responseId: `r-${n}`, surveyId: 'f', date: '2026-01-01T00:00:00.000Z' },
        responses: [
          { questionId: 'q-0', response: n < 58 ? `Own words ${n}` : 'Late, but twice' },
          { questionId: 'q-1', response: n % 3 === 0 ? 'A friend' : `Own words ${n % 40}` },
        ],
      },
    })),
  )
  const html = await (await newSignedIn('reader', other)).html('/forms/f/results')
  expect(html.match(/Question \d+\. </g)).toHaveLength(100)
  expect(html).toContain('Not counted here: 30 more questions of this form.')
  expect(html.match(/And 31 less frequent answers\./g)).toHaveLength(1)
  expect(html).toContain('Late, but twice')
})

test('forms with responses are listed, most answered first, and link to their results', async () => {
  const { html } = await openResults('reader', '/reports/surveys')
  const links = [
    ...html.matchAll(/<a href="[^"]*(\/forms\/\w+\/results)">([^<]*)<\/a>.*?>(\d+)</gs),
  ]
  expect(links.map(([, ...link]) => link)).toEqual([
    ['/forms/survey/results', 'Spring survey', '150'],
    ['/forms/other/results', 'Spring survey', '40'],
  ])
  const form = await openResults('reader', '/forms/survey')
  expect(form.html).toContain(`/dashboard/${organisation.id}/forms/survey/results"`)
})

test('a form without responses or their dates, an unknown form, and stewards', async () => {
  const other = await newSignedIn('reader')
  await other.put('forms', [{ id: 'survey', document: surveyForm }])
  expect(await other.html('/forms/survey/results')).toContain('Nobody has answered this form yet.')
  expect(await other.html('/reports/surveys')).toContain('Nobody has answered a form yet.')
  const response = { responseId: 'r', surveyId: 'survey', responses: [] }
  await other.put('survey-responses', [{ id: 'r', document: response }])
  expect(await other.html('/forms/survey/results')).toContain('1 response')
  expect((await other.visit('/forms/unknown/results')).status).toBe(404)
  for (const path of ['/reports/surveys', '/forms/survey/results']) {
    const { response, html } = await openResults('steward', path)
    expect(response.status).toBe(403)
    expect(html).not.toContain('Spring survey')
  }
})

test('a question with a condition says how many were asked', async () => {
  const other = await newOrganisation()
  const asked = { questionId: 'feeling', isNot: true }
  const questions = [
    surveyForm.questions[1],
    { ...surveyForm.questions[4], hasConditions: true, $showIf: { ...asked, answers: [1, 2] } },
  ]
  await other.put('forms', [{ id: 'f', document: { ...surveyForm, formId: 'f', questions } }])
  await other.put(
    'survey-responses',
    [1, 2, 3, 4, 5, undefined].map((feeling, n) => ({
      id: `r-${n}`,
      document: {
        ...{ responseId: `r-${n}`, surveyId: 'f', date: '2026-01-01T00:00:00.000Z' },
        responses: [
          ...(feeling ? [{ questionId: 'feeling', response: feeling }] : []),
          ...(feeling === 3 ? [{ questionId: 'hours', response: 7 }] : []),
        ],
      },
    })),
  )
  const html = await (await newSignedIn('reader', other)).html('/forms/f/results')
  expect(html).toContain('1 answer, asked of 3, 2 did not answer')
  expect(html).toContain('5 answers, 1 did not answer')
})

test('a download has a row for each response and a column for each question, as its reader sees them', async () => {
  const other = await newSignedIn('reader')
  const ask = (index: number, order: number, values: object = {}) => ({
    ...surveyForm.questions[index],
    ...{ order, ...values },
  })
  const questions = [
    ask(1, 0, {
      title: '=How was it?',
      options: [
        { value: 1, label: 'Bad' },
        { value: 2, label: '2' },
      ],
    }),
    ask(2, 1, { title: 'Again' }),
    ask(4, 2, { title: 'Again' }),
    ask(5, 3, { questionId: 'first', type: 'date', title: 'When first?' }),
  ]
  const settings = { calculateOverallScore: true, isAnonymous: false }
  await other.put('forms', [
    { id: 'f', document: { ...surveyForm, formId: 'f', type: 'survey', settings, questions } },
  ])
  await other.schema('members', [
    { id: 'Name', name: 'Name', label: 'Name', type: 'text', order: 0 },
  ])
  await other.put('members', [{ id: 'm', document: { memberId: 'm', Name: 'Ada, of Oak' } }])
  const response = (
    id: string,
    surveyId: string,
    answers: Record<string, unknown>,
    memberIds: string[],
  ) => ({
    id,
    document: {
      ...{ responseId: id, surveyId, date: '2026-06-30T23:30:00.000Z', surveyScore: 3 },
      linkedEntities: { memberIds, volunteerIds: [], partnerIds: [] },
      responses: Object.entries(answers).map(([questionId, response]) => ({
        ...{ questionId, question: `About ${questionId}`, response },
        type: typeof response === 'number' ? 'number' : 'text',
      })),
    },
  })
  await other.put('survey-responses', [
    response('r-1', 'f', { feeling: 1, 'came to': ['Lunch', 'Choir'], first: '2026-02-03' }, ['m']),
    response('r-2', 'f', { feeling: 2, hours: 7.5, gone: 'A lift' }, []),
    response('r-3', 'another', { feeling: 2 }, []),
  ])
  const csv = await other.visit('/forms/f/results/csv')
  expect(csv.headers.get('Content-Disposition')).toContain('-answers-f-')
  expect((await csv.text()).split('\r\n')).toEqual([
    "Date,Person,Person’s id,Score,'=How was it?,Again,Again (2),When first?,Answers to former questions",
    '2026-07-01 00:30,"Ada, of Oak",m,3,Bad,"Option Lunch, Option Choir",,2026-02-03,',
    '2026-07-01 00:30,,,3,2,,7.5,,About gone: A lift',
    '',
  ])
  const limited = await newSignedIn('reader-without-contact-details', other)
  expect((await limited.html('/forms/f/results/csv')).split('\r\n')).toEqual([
    expect.stringMatching(/^Date,Person,/),
    '2026-07-01 00:30,"Ada, of Oak",m,3,Bad,,,,',
    '2026-07-01 00:30,,,3,2,,7.5,,',
    '',
  ])
  const sheet = await other.visit('/forms/f/results/xlsx')
  expect([sheet.status, sheet.headers.get('Content-Type')]).toEqual([
    200,
    expect.stringContaining('spreadsheetml'),
  ])
  await sheet.body?.cancel()
  expect((await other.visit('/forms/unknown/results/csv')).status).toBe(404)
})
