import { beforeAll, expect, test } from 'vitest'
import { toLabel } from '../../src/model/properties/compile.ts'
import { openOData } from '../odata/service.ts'
import { newSampleOrganisation } from '../resources/summary/sample.ts'
import { newSignedIn } from './signed-in.ts'

let organisation: Awaited<ReturnType<typeof newSampleOrganisation>>
let person: Awaited<ReturnType<typeof newSignedIn>>
let odata: ReturnType<typeof openOData>

beforeAll(async () => {
  organisation = await newSampleOrganisation({ people: 60, events: 12, bookings: 900 })
  person = await newSignedIn('reader', organisation)
  odata = openOData(organisation)
}, 60_000)

type Measures = Record<string, unknown>
type Answer = {
  groups: (Measures & { by: string[]; previous?: Measures })[]
  withoutGroup: Measures
}

const summarise = (query: Record<string, string>) =>
  organisation.json<Answer>(`/bookings/$summary?${new URLSearchParams(query)}`)

/** The rows of the downloaded table of a report, by their labels. */
async function report(query: Record<string, string>): Promise<Map<string, string[]>> {
  const page = await person.visit(`/reports/csv?${new URLSearchParams(query)}`)
  const [, ...lines] = (await page.text()).trim().split('\r\n')
  return new Map(lines.map((line) => line.split(',')).map(([label = '', ...rest]) => [label, rest]))
}

const period = { $period: 'from-to', $from: '2025-02-01', $to: '2025-10-31', $date: 'date' }
const inPeriod = 'date ge 2025-02-01 and date le 2025-10-31'

test.each([
  ['count', '$count as N'],
  ['people', 'memberId with countdistinct as N'],
  ['sum(duration)', 'duration with sum as N'],
  ['average(customPrice)', 'customPrice with average as N'],
  ['median(duration)', undefined],
  ['share(attending)', undefined],
  ['peopleWithAtLeast', undefined],
])(
  '%s of bookings by status is the same on a report, in $summary and in $apply',
  async (measure, aggregate) => {
    const name = measure === 'peopleWithAtLeast' ? 'peopleWithAtLeast(2)' : measure
    const { groups, withoutGroup } = await summarise({
      $by: 'orgStatus',
      $measures: name,
      $filter: inPeriod,
    })
    const numbers = new Map([
      ...groups.map(({ by: [status = ''], ...values }) => [toLabel(status), values[name]] as const),
      ['No our status', withoutGroup[name]] as const,
    ])
    expect(numbers.size).toBe(3)
    const rows = await report({
      $count: 'bookings',
      $by: 'orgStatus',
      $measure: measure,
      $least: '2',
      ...period,
    })
    expect(new Map([...rows].map(([label, [result]]) => [label, Number(result)]))).toEqual(numbers)
    if (aggregate === undefined) return
    const { value } = await odata.json(
      `Bookings?$apply=${encodeURIComponent(`filter(${inPeriod})/groupby((orgStatus),aggregate(${aggregate}))`)}`,
    )
    const applied = value.map(({ orgStatus, N }): [string, unknown] => [
      orgStatus === null ? 'No our status' : toLabel(String(orgStatus)),
      N,
    ])
    expect(new Map(applied)).toEqual(numbers)
  },
)

test('different people of some ages at events with a tag, by two fields and the year before, are the same on a report and in $summary', async () => {
  const today = new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/London' })
  const yearsAgo = (years: number) => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`
  const $filter = `${inPeriod} and event.tags eq 'Food' and member.Born gt ${yearsAgo(61)} and member.Born le ${yearsAgo(16)}`
  const measures = 'peopleWithAtLeast(3)'
  const ask = ($by: string) =>
    summarise({ $by, $measures: measures, $filter, $compare: 'previousYear' })
  const [byWard, byBoth] = [await ask('member.Ward'), await ask('member.Ward,member.Consent')]
  const rows = await report({
    $count: 'bookings',
    $measure: 'peopleWithAtLeast',
    $least: '3',
    $by: 'member.Ward',
    $split: 'member.Consent',
    $compare: 'true',
    'event.tags': 'Food',
    'member.Born~minage': '16',
    'member.Born~maxage': '60',
    ...period,
  })
  const cell = (ward: string, isYes: boolean) =>
    byBoth.groups.find(({ by }) => by[0] === ward && by[1] === (isYes as unknown))?.[measures] ?? 0
  expect(byWard.groups.length).toBeGreaterThan(2)
  for (const { by, previous = {}, ...values } of byWard.groups) {
    const [ward = ''] = by
    const [people = '', ...others] = rows.get(ward) ?? []
    const both = [true, false].map((isYes) => cell(ward, isYes)).toSorted()
    expect(Number(people), ward).toBe(values[measures])
    expect(others.slice(0, 2).map(Number).toSorted(), ward).toEqual(both)
    expect(Number(others[2]), ward).toBe(previous[measures])
    expect(Number(others[3]), ward).toBe(Number(people) - Number(previous[measures]))
  }
})

test('an average by day of the week is the same on a report and in $summary', async () => {
  const measure = 'average(bookingDetails.price)'
  const answer = await organisation.json<Answer>(
    `/events/$summary?${new URLSearchParams({ $by: 'weekday(start)', $measures: measure })}`,
  )
  const days = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
  const rows = await report({ $count: 'events', $measure: measure, $by: 'start~weekday' })
  const numbers = answer.groups.map(({ by: [day], ...values }) => [
    days[Number(day) - 1],
    values[measure],
  ])
  expect(numbers.length).toBeGreaterThan(2)
  expect([...rows].map(([label, [average]]) => [label, Number(average)])).toEqual(numbers)
})
