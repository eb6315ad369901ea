import { beforeAll, expect, test } from 'vitest'
import { toLabel } from '../../src/model/properties/compile.ts'
import { openOData } from '../odata/service.ts'
import { newSampleOrganisation } from '../resources/summary/sample.ts'
import { newSurveyOrganisation } from '../resources/summary/survey.ts'
import { newSignedIn } from './signed-in.ts'

/*
 * The same questions on the Reports page, in `$summary` and in `$apply`. That each number is right, the generated tests
 * of summaries say.
 */

type Organisation = Awaited<ReturnType<typeof newSampleOrganisation>>

let organisation: Organisation
let person: Awaited<ReturnType<typeof newSignedIn>>

beforeAll(async () => {
  organisation = await newSampleOrganisation({ people: 120, events: 12, bookings: 6000 })
  person = await newSignedIn('reader', organisation)
}, 60_000)

type Measures = Record<string, unknown>
type Answer = {
  groups: (Measures & { by: unknown[]; previous?: Measures })[]
  total: Measures
  withoutGroup: Measures
}

const summarise = (query: Record<string, string>, collection = 'bookings', of = organisation) =>
  of.json<Answer>(`/${collection}/$summary?${new URLSearchParams(query)}`)

/** The results of `$apply`, from a list of transformations. */
async function apply(set: string, transformations: readonly string[], of = organisation) {
  const text = encodeURIComponent(transformations.join('/'))
  const { value } = await openOData(of).json(`${set}?$apply=${text}`)
  return value
}

/** The headings and the rows of the downloaded table of a report. */
async function report(query: Record<string, string>, reader = person) {
  const page = await reader.visit(`/reports/csv?${new URLSearchParams(query)}`)
  const [headings = [], ...rows] = (await page.text())
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  return { headings, rows: new Map(rows.map(([label = '', ...rest]) => [label, rest])) }
}

const period = { $period: 'from-to', $from: '2025-02-01', $to: '2025-10-31', $date: 'date' }
const inPeriod = 'date ge 2025-02-01 and date le 2025-10-31'
const yearBefore = 'date ge 2024-02-01 and date le 2024-10-31'

/** Results without a chain: of groups by a property. */
const groupedBy = (name: string, aggregate: string) => [
  `filter(${inPeriod})`,
  `groupby((${name}),aggregate(${aggregate} as N))`,
]

/** The number of people with at least some bookings, by further properties. */
const peopleBy = (names: string, least: number, condition = inPeriod) => [
  `filter(${condition})`,
  `groupby((memberId,${names}),aggregate($count as n))`,
  `filter(memberId ne null and n ge ${least})`,
  `groupby((${names}),aggregate($count as N))`,
]

test.each([
  ['count', groupedBy('orgStatus', '$count')],
  ['people', groupedBy('orgStatus', 'memberId with countdistinct')],
  ['sum(duration)', groupedBy('orgStatus', 'duration with sum')],
  ['average(customPrice)', groupedBy('orgStatus', 'customPrice with average')],
  ['median(duration)', groupedBy('orgStatus', 'duration with DataPlatform.median')],
  ['share(attending)', groupedBy('orgStatus', 'attending with DataPlatform.share')],
  ['peopleWithAtLeast', peopleBy('orgStatus', 2)],
])(
  '%s of bookings by status is the same on a report, in $summary and in $apply',
  async (measure, transformations) => {
    const name = measure === 'peopleWithAtLeast' ? 'peopleWithAtLeast(2)' : measure
    const { groups, withoutGroup } = await summarise({
      $by: 'orgStatus',
      $measures: name,
      $filter: inPeriod,
    })
    const numbers = new Map([
      ...groups.map(
        ({ by: [status], ...values }) => [toLabel(String(status)), values[name]] as const,
      ),
      ['No mark in the register', withoutGroup[name]] as const,
    ])
    expect(numbers.size).toBe(3)
    const { rows } = await report({
      $count: 'bookings',
      $by: 'orgStatus',
      $measure: measure,
      $least: '2',
      ...period,
    })
    expect(new Map([...rows].map(([label, [result]]) => [label, Number(result)]))).toEqual(numbers)
    const applied = await apply('Bookings', transformations)
    expect(
      new Map(
        applied.map(({ orgStatus, N }) => [
          orgStatus === null ? 'No mark in the register' : toLabel(String(orgStatus)),
          N,
        ]),
      ),
    ).toEqual(numbers)
  },
)

/** People who came to events tagged Food when they were 16 to 25. */
const cameToFood = {
  'event.tags': 'Food',
  'member.Born~minage': '16',
  'member.Born~maxage': '25',
}

/** The same people between some dates, for `$summary` and for `$apply`. */
const inSummary = (dates: string) =>
  `${dates} and came eq true and event.tags eq 'Food' and age(member.Born,date) ge 16 and age(member.Born,date) le 25`
const inApply = (dates: string) =>
  `${dates} and came eq true and event/tags/any(tag:tag eq 'Food') and DataPlatform.age(member/Born,date) ge 16 and DataPlatform.age(member/Born,date) le 25`

test('people aged 16 to 25 who came to at least three sessions of events tagged Food between two dates, by ward and gender, compared with the year before', async () => {
  const measure = 'peopleWithAtLeast(3)'
  const ask = ($by: string) =>
    summarise({
      $by,
      $measures: measure,
      $filter: inSummary(inPeriod),
      $compare: 'previousYear',
    })
  const [byWard, byBoth] = [await ask('member.Ward'), await ask('member.Ward,member.Gender')]
  const question = {
    $count: 'attendances',
    $measure: 'peopleWithAtLeast',
    $least: '3',
    $by: 'member.Ward',
    $split: 'member.Gender',
    $compare: 'true',
    ...cameToFood,
    ...period,
  }
  const { headings, rows } = await report(question)
  const applied = (names: string, dates: string) =>
    apply('Bookings', peopleBy(names, 3, inApply(dates)))
  const { [measure]: all, previous: allBefore } = byBoth.total
  const appliedTotals = await Promise.all(
    [inPeriod, yearBefore].map((dates) =>
      apply('Bookings', [
        ...peopleBy('member/Ward', 3, inApply(dates)).slice(0, 1),
        'groupby((memberId),aggregate($count as n))',
        'filter(memberId ne null and n ge 3)',
        'aggregate($count as N)',
      ]),
    ),
  )
  const html = await person.html(`/reports/view?${new URLSearchParams(question)}`)
  const totals = [...html.matchAll(/<strong>(\d+)<\/strong> people with at least 3 attendances/g)]
  expect(all).toBeGreaterThan(0)
  expect(appliedTotals.map(([one]) => one?.N)).toEqual([all, Object(allBefore)[measure]])
  expect(totals.map(([, total]) => Number(total))).toEqual([all, Object(allBefore)[measure]])
  const [now, split, before] = [
    await applied('member/Ward', inPeriod),
    await applied('member/Ward,member/Gender', inPeriod),
    await applied('member/Ward', yearBefore),
  ]
  const find = (entities: typeof now, wanted: object) =>
    entities.find(({ member }) => JSON.stringify(member) === JSON.stringify(wanted))?.N ?? 0
  const genders = ['Woman', 'Man', 'Another']
  const people = 'People with at least 3 attendances'
  expect([headings[0], ...headings.slice(4)]).toEqual([
    ...['Member ward', people, 'Year before', 'Change'],
  ])
  expect(headings.slice(1, 4).toSorted()).toEqual(genders.toSorted())
  expect(byWard.groups.length).toBeGreaterThan(2)
  expect(byWard.groups.some(({ previous }) => Number(previous?.[measure]) > 0)).toBe(true)
  for (const { by, previous = {}, ...values } of byWard.groups) {
    const [Ward] = by
    const cells = rows.get(String(Ward)) ?? []
    const cell = (heading: string) => Number(cells[headings.indexOf(heading) - 1])
    const { [measure]: number } = values
    expect([cell(people), find(now, { Ward })]).toEqual([number, number])
    expect([cell('Year before'), find(before, { Ward })]).toEqual(
      [0, 1].map(() => previous[measure]),
    )
    expect(cell('Change')).toBe(Number(number) - Number(previous[measure]))
    for (const Gender of genders) {
      const group = byBoth.groups.find((it) => it.by[0] === Ward && it.by[1] === Gender)
      const count = group?.[measure] ?? 0
      expect([cell(Gender), find(split, { Ward, Gender })]).toEqual([count, count])
    }
  }
})

test('the share of these people with photo consent', async () => {
  const measure = 'shareOfPeople(member.PhotoConsent,3)'
  const { total, groups } = await summarise({
    $by: 'member.Ward',
    $measures: measure,
    $filter: inSummary(inPeriod),
    $compare: 'previousYear',
  })
  const { [measure]: share, previous } = total
  const before = Object(previous)[measure]
  const question = {
    $count: 'attendances',
    $measure: 'shareOfPeople(member.PhotoConsent)',
    $least: '3',
    $by: 'member.Ward',
    $compare: 'true',
    ...cameToFood,
    ...period,
  }
  const html = await person.html(`/reports/view?${new URLSearchParams(question)}`)
  const numbers = [...html.matchAll(/Share of yes in member photo consent[^<]*<strong>(\d+)%</g)]
  expect(numbers.map(([, percent]) => Number(percent))).toEqual(
    [share, before].map((it) => Math.round(100 * Number(it))),
  )
  const { rows } = await report(question)
  const wards = groups.filter(({ [measure]: ofWard }) => ofWard !== null)
  expect(wards.length).toBeGreaterThan(2)
  for (const { by, [measure]: ofWard } of wards)
    expect(Number(rows.get(String(by[0]))?.[0])).toBe(ofWard)
  const applied = await Promise.all(
    [inPeriod, yearBefore].map((dates) =>
      apply('Bookings', [
        `filter(${inApply(dates)})`,
        'groupby((memberId,member/PhotoConsent),aggregate($count as n))',
        'filter(memberId ne null and n ge 3)',
        'aggregate(member/PhotoConsent with DataPlatform.share as share)',
      ]),
    ),
  )
  expect(applied.map(([one]) => one?.share)).toEqual([share, before])
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThan(1)
})

test('the average survey score before and after, of the same people', async () => {
  const surveys = await newSurveyOrganisation({ responses: 120, others: 40, people: 30 })
  const reader = await newSignedIn('reader', surveys)
  const names = ['averageFirst', 'averageLast']
  const { total } = await summarise(
    {
      $measures: names.map((name) => `${name}(surveyScore)`).join(),
      $filter: "surveyId eq 'survey'",
    },
    'survey-responses',
    surveys,
  )
  const averages = names.map((name) => Number(total[`${name}(surveyScore)`]))
  expect(averages[0]).not.toBe(averages[1])
  const [applied] = await apply(
    'SurveyResponses',
    [
      "filter(surveyId eq 'survey')",
      `aggregate(${names.map((name) => `surveyScore with DataPlatform.${name} as ${name}`).join()})`,
    ],
    surveys,
  )
  expect(names.map((name) => applied?.[name])).toEqual(averages)
  for (const [index, name] of names.entries()) {
    const { rows } = await report(
      {
        $count: 'survey-responses',
        $measure: `${name}(surveyScore)`,
        $by: 'surveyId',
        surveyId: 'survey',
      },
      reader,
    )
    expect([...rows]).toEqual([['Spring survey', [String(averages[index])]]])
  }
  const html = await reader.html('/forms/survey/results')
  const [, table = ''] =
    /aria-label="Average scores before and after">(.*?)<\/table>/s.exec(html) ?? []
  const [, score = ''] = /<tr><th scope="row">Score<\/th>(.*?)<\/tr>/s.exec(table) ?? []
  const shown = [...score.matchAll(/<td[^>]*>([^<]*)</g)].map(([, cell]) => Number(cell))
  expect(shown.slice(0, 2)).toEqual(averages.map((average) => Math.round(100 * average) / 100))
})

test('the average attendance by day of the week', async () => {
  const measure = 'average(attendees)'
  const { groups } = await summarise({ $by: 'weekday(start)', $measures: measure }, 'events')
  const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
  const numbers = groups.map(({ by: [day], ...values }) => [days[Number(day) - 1], values[measure]])
  expect(numbers.length).toBeGreaterThan(2)
  const { rows } = await report({ $count: 'events', $measure: measure, $by: 'start~weekday' })
  expect([...rows].map(([label, [average]]) => [label, Number(average)])).toEqual(numbers)
  const applied = await apply('Events', [
    'compute(DataPlatform.weekday(start) as Day)',
    'groupby((Day),aggregate(attendees with average as Mean))',
  ])
  expect(applied.map(({ Day, Mean }) => [days[Number(Day) - 1], Mean])).toEqual(numbers)
})
