import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { londonDay } from '../../../src/model/timestamp.ts'
import { newSignedIn } from '../../dashboard/signed-in.ts'
import { newAssistantKey, readTool } from '../../mcp/assistant.ts'
import { openOData } from '../../odata/service.ts'
import { runs } from '../../runs.ts'
import { type Downloaded, flattenPeople, groupNaively, measureNaively } from './naive.ts'
import { newSampleOrganisation } from './sample.ts'

type Answer = {
  groups: ({ by: unknown[] } & Record<string, unknown>)[]
  /** Undefined in answers with groups only. */
  total: Record<string, unknown> | undefined
  withoutGroup?: Record<string, unknown>
}

const buckets = ['day', 'week', 'month', 'quarter', 'year', 'financialYear', 'weekday']
const dated = (names: string[]) =>
  names.flatMap((name) => buckets.map((bucket) => `${bucket}(${name})`))

const ofField = (names: string[], measures: string[]) =>
  names.flatMap((name) => measures.map((measure) => `${measure}(${name})`))

const ofNumber = ['sum', 'average', 'median', 'min', 'max', 'distinct']

/** What questions can ask of each collection. */
const collections = {
  bookings: {
    path: '/bookings?$format=ndjson&$expand=event,member',
    by: [
      ...['orgStatus', 'attending', 'came', 'duration', 'eventId', 'memberId'],
      ...['event.tags', 'event.name', 'member.Ward', 'member.Interests', 'member.PhotoConsent'],
      ...dated(['date', 'event.start', 'member.Born']),
      ...['age(member.Born)', 'age(member.Born,date)', 'age(member.Born,event.start)'],
    ],
    measures: [
      ...['count', 'people', 'peopleWithAtLeast(2)', 'peopleWithAtLeast(5)'],
      ...['shareOfPeople(member.PhotoConsent,1)', 'shareOfPeople(member.PhotoConsent,3)'],
      ...[
        'min(date)',
        'max(date)',
        'share(attending)',
        'share(came)',
        'share(member.PhotoConsent)',
      ],
      ...['distinct(event.tags)', 'distinct(memberId)', 'distinct(member.Ward)'],
      ...ofField(['duration', 'customPrice', 'member.Fee'], ofNumber),
    ],
    filters: [
      ['$filter', 'date ge 2025-03-01'],
      ['$filter', "event.tags eq 'Food' and date lt 2025-06-01"],
      ['$filter', 'came eq true'],
      ['$filter', 'date ge 2025-03-01 and came ne true'],
      ['$filter', "member.Ward eq 'Ward 1' or attending eq false"],
      ['$filter', 'duration gt 500'],
      ['orgStatus', 'attended'],
      ['attending', 'true'],
    ],
  },
  members: {
    path: '/members?$format=ndjson',
    by: ['Ward', 'Interests', 'PhotoConsent', 'Fee', 'age(Born)', ...dated(['Born'])],
    measures: [
      ...['count', 'people', 'peopleWithAtLeast(1)', 'peopleWithAtLeast(2)'],
      ...['share(PhotoConsent)', 'distinct(Interests)', ...ofField(['Fee'], ofNumber)],
    ],
    filters: [
      ['$filter', 'Fee gt 1'],
      ['Ward', 'Ward 2'],
    ],
  },
  'case-notes': {
    path: '/case-notes?$format=ndjson',
    by: ['tags', 'isPrivate', 'linkedEntities.memberIds', ...dated(['date'])],
    measures: ['count', 'people', 'peopleWithAtLeast(2)', 'share(isPrivate)', 'distinct(tags)'],
    filters: [['$filter', "tags eq 'Visit'"]],
  },
}

type Name = keyof typeof collections

/** A question about one of the collections. */
const questions = fc
  .constantFrom<Name[]>('bookings', 'bookings', 'members', 'case-notes')
  .chain((name) => {
    const { by, measures, filters } = collections[name]
    return fc.record({
      name: fc.constant(name),
      by: fc.uniqueArray(fc.constantFrom(...by), { maxLength: 2 }),
      measures: fc.uniqueArray(fc.constantFrom(...measures), { minLength: 1, maxLength: 4 }),
      filter: fc.option(fc.constantFrom(...filters)),
    })
  })

let organisation: Awaited<ReturnType<typeof newSampleOrganisation>>
let person: Awaited<ReturnType<typeof newSignedIn>>
let assistant: string
let odata: ReturnType<typeof openOData>

beforeAll(async () => {
  organisation = await newSampleOrganisation({ people: 60, events: 12, bookings: 700 })
  person = await newSignedIn('reader', organisation)
  assistant = await newAssistantKey(organisation.id, {})
  odata = openOData(organisation)
}, 60_000)

type Question = {
  name: Name
  by: readonly string[]
  measures: readonly string[]
  filter: readonly string[] | null
}

/** The records of a question, and its groups by their values as JSON text. */
type Naive = ReturnType<typeof groupNaively> & { records: readonly Downloaded[] }

/** Asks the assistants' tool. Undefined if its filter has no parameter of the API's lists. */
async function askAssistant({ name, by, measures, filter }: Question): Promise<Answer | undefined> {
  if (filter && filter[0] !== '$filter') return undefined
  return readTool<Answer>(assistant, 'summarise', {
    collection: name,
    measures: measures.join(),
    ...(by.length > 0 && { by: by.join() }),
    ...(filter && { filter: filter[1] }),
  })
}

const lists = ['event.tags', 'tags', 'Interests', 'linkedEntities']
const hasList = (text: string) => lists.some((name) => text.includes(name))

/** The spelling of a name in OData, such as `member/Ward`. */
const toODataName = (name: string) => name.replace(/^(event|member)\./, '$1/')

/** The spelling of a filter in OData. */
const toODataFilter = (text: string) =>
  text
    .replace(/event\.tags eq ('\w+')/, 'event/tags/any(tag:tag eq $1)')
    .replaceAll('member.', 'member/')

/** The methods of OData by the measures of a field. */
const methods = new Map([
  ...['sum', 'average', 'min', 'max'].map((name) => [name, name] as const),
  ...['median', 'share'].map((name) => [name, `DataPlatform.${name}`] as const),
  ['distinct', 'countdistinct'],
])

function toAggregate(name: Name, measure: string): string | undefined {
  if (measure === 'count') return '$count'
  if (measure === 'people') return name === 'bookings' ? 'memberId with countdistinct' : undefined
  const [, measureName = '', field = ''] = /^(\w+)\((.*)\)$/.exec(measure) ?? []
  const method = methods.get(measureName)
  return method && !hasList(field) ? `${toODataName(field)} with ${method}` : undefined
}

/** Asks `$apply` for the measures that it can express. Undefined without any, and for groups by a list. */
async function askApply({ name, by, measures, filter }: Question): Promise<Answer | undefined> {
  const aggregates = measures.flatMap((measure) => {
    const aggregate = toAggregate(name, measure)
    return aggregate ? { measure, aggregate } : []
  })
  const set = { bookings: 'Bookings', members: 'Members', 'case-notes': 'CaseNotes' }[name]
  if (aggregates.length === 0 || by.some(hasList) || (filter && filter[0] !== '$filter'))
    return undefined
  if (filter?.[1]?.includes('tags') && name !== 'bookings') return undefined
  const groups = by.map((text, index) => {
    const [, bucket, field = '', on] = /^(\w+)\(([^,]*)(?:,(.*))?\)$/.exec(text) ?? []
    if (!bucket) return { property: toODataName(text) }
    const names = [field, on ?? []].flat().map(toODataName)
    const property = `Group${index}`
    return { property, computed: `compute(DataPlatform.${bucket}(${names.join()}) as ${property})` }
  })
  const results = aggregates.map(({ aggregate }, index) => `${aggregate} as Result${index}`).join()
  const properties = groups.map(({ property }) => property).join()
  const text = [
    ...(filter?.[1] ? [`filter(${toODataFilter(filter[1])})`] : []),
    ...groups.flatMap(({ computed = [] }) => computed),
    by.length > 0 ? `groupby((${properties}),aggregate(${results}))` : `aggregate(${results})`,
  ].join('/')
  const response = await odata.get(`${set}?$apply=${encodeURIComponent(text)}`)
  expect([text, response.status]).toEqual([text, 200])
  const { value } = await response.json<{ value: Record<string, unknown>[] }>()
  const answers = value.map((entity) => ({
    by: groups.map(({ property }) => {
      const [first = '', second] = property.split('/')
      return second ? Object(entity[first])[second] : entity[first]
    }),
    ...Object.fromEntries(
      aggregates.map(({ measure }, index) => [measure, entity[`Result${index}`]]),
    ),
  }))
  return by.length > 0
    ? { groups: answers.filter((group) => !group.by.includes(null)), total: undefined }
    : { groups: [], total: answers[0] }
}

const reported =
  /^(?:(sum|average|median|share)\((.*)\)|(count|people)|(peopleWithAtLeast)\((\d)\)|(shareOfPeople)\((.*),(\d)\))$/

/** The filters of reports by those of the API. */
const reportFilters: Record<string, Record<string, string>> = {
  'date ge 2025-03-01': { $date: 'date', $period: 'from-to', $from: '2025-03-01' },
  "event.tags eq 'Food' and date lt 2025-06-01": {
    ...{ $date: 'date', $period: 'from-to', $to: '2025-05-31' },
    'event.tags': 'Food',
  },
  'came eq true': { came: 'true' },
}

/**
 * The parameters of a report with a group and a measure that reports have. Undefined if none can ask the question. Reports
 * group ages by other bands, offer no numbers as groups, and count people's own records.
 */
function toReport({ name, by: groups, measures, filter }: Question) {
  const by = groups.find((it) => !/age\(|^(?:duration|Fee|came|\w+Id)$/.test(it))
  const unreported = name === 'bookings' ? /^share\(came/ : /eople/
  const measure = measures.find((it) => reported.test(it) && !unreported.test(it))
  const [parameter = '', value = ''] = filter ?? []
  const filters = parameter === '$filter' ? reportFilters[value] : { [parameter]: value }
  if (!measure || !by || !filters || name === 'case-notes') return undefined
  const [, ofField, field, plain, least, times, ofPeople, property, timesOfPeople] =
    reported.exec(measure) ?? []
  const [, bucket, dated] = /^(\w+)\((.*)\)$/.exec(by) ?? []
  const params = new URLSearchParams({
    $count: name,
    $by: bucket ? `${dated}~${bucket}` : by,
    $measure: ofField ? `${ofField}(${field})` : (plain ?? least ?? `${ofPeople}(${property})`),
    $least: times ?? timesOfPeople ?? '1',
    ...(filter && filters),
  })
  return { by, measure, params }
}

/** The results of a report in ascending order, without those of empty groups. */
async function askReport(params: URLSearchParams): Promise<number[]> {
  const response = await person.visit(`/reports/csv?${params}`)
  const [, ...lines] = (await response.text()).trim().split('\r\n')
  const results = lines.map((line) => Number(line.split(',').at(-1)))
  return results.filter((result) => result !== 0).toSorted((one, other) => one - other)
}

/** Downloads the records that a filter finds. */
async function download(path: string, filter: readonly string[] | null): Promise<Downloaded[]> {
  const [parameter = '', value = ''] = filter ?? []
  const condition = filter ? `&${parameter}=${encodeURIComponent(value)}` : ''
  const response = await organisation.get(path + condition)
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const lines = text.split('\n').filter(Boolean)
  return lines.map((line) => flattenPeople(JSON.parse(line)))
}

/** Adds whether the person came: without a mark, it counts only if nobody took the register of the event. */
function addCame(records: readonly Downloaded[], marked: ReadonlySet<unknown>): Downloaded[] {
  return records.map((record) => {
    const { orgStatus, attending, eventId } = record
    return { ...record, came: orgStatus === 'attended' || (attending && !marked.has(eventId)) }
  })
}

const isNear = (value: unknown, other: unknown) =>
  typeof value === 'number' && typeof other === 'number'
    ? Math.abs(value - other) <= 1e-9 * Math.max(1, Math.abs(other))
    : value === other

test('every door has the figures of a naive evaluation of the downloaded list', async () => {
  const compared = { assistant: 0, apply: 0, report: 0 }
  const today = londonDay(Date.now())
  const bookings = await download('/bookings?$format=ndjson', ['orgStatus', 'attended'])
  const marked = new Set(bookings.map(({ eventId }) => eventId))
  await fc.assert(
    fc.asyncProperty(questions, async ({ name, by, measures, filter }) => {
      const downloaded = await download(collections[name].path, filter)
      const records = name === 'bookings' ? addCame(downloaded, marked) : downloaded
      const query = new URLSearchParams({
        $measures: measures.join(','),
        ...(by.length > 0 && { $by: by.join(',') }),
        ...(filter && { [filter[0] ?? '']: filter[1] ?? '' }),
      })
      const response = await organisation.get(`/${name}/$summary?${query}`)
      const answer = await response.json<Answer>()
      expect([response.status, answer]).toEqual([200, expect.anything()])
      const naive = { ...groupNaively(records, by, today), records }
      expect(answer.total).toBeDefined()
      expectNaive(answer, naive, measures)
      if (by.length > 0) {
        const keys = answer.groups.map((group) => JSON.stringify(group.by)).toSorted()
        expect(keys).toEqual([...naive.groups.keys()].toSorted())
      }
      const question = { name, by, measures, filter }
      const [summarised, applied] = [await askAssistant(question), await askApply(question)]
      if (summarised) {
        expect(summarised.groups.length).toBe(Math.min(naive.groups.size, by.length > 0 ? 100 : 0))
        expectNaive(summarised, naive, measures)
        compared.assistant++
      }
      if (applied) {
        if (by.length > 0) expect(applied.groups.length).toBe(naive.groups.size)
        expectNaive(
          applied,
          naive,
          measures.filter((measure) => toAggregate(name, measure)),
        )
        compared.apply++
      }
      const report = toReport(question)
      const { groups, withoutGroup } = groupNaively(records, report ? [report.by] : [], today)
      // A report puts groups beyond 200 into one row.
      if (report && groups.size < 200) {
        const expected = [...groups.values(), withoutGroup]
          .map((group) => Number(measureNaively(report.measure, group)))
          .filter((result) => result !== 0)
          .toSorted((one, other) => one - other)
        const results = await askReport(report.params)
        expect([report.params.toString(), results.length]).toEqual([
          report.params.toString(),
          expected.length,
        ])
        for (const [index, result] of results.entries())
          expect(result).toBeCloseTo(expected[index] ?? 0, 9)
        compared.report++
      }
    }),
    runs(80),
  )
  for (const [door, count] of Object.entries(compared))
    expect([door, count]).toEqual([door, expect.toSatisfy((it: number) => it > 4)])
}, 300_000)

/** Expects that the measures in an answer are those of a naive evaluation. */
function expectNaive(
  { groups, total, withoutGroup }: Answer,
  naive: Naive,
  measures: readonly string[],
): void {
  const differences = (figures: Record<string, unknown>, of: readonly Downloaded[]) =>
    measures
      .map((measure) => [measure, figures[measure], measureNaively(measure, of)])
      .filter(([, value, expected]) => !isNear(value, expected))
  if (total) expect(differences(total, naive.records)).toEqual([])
  if (withoutGroup) expect(differences(withoutGroup, naive.withoutGroup)).toEqual([])
  for (const group of groups)
    expect(differences(group, naive.groups.get(JSON.stringify(group.by)) ?? [])).toEqual([])
}
