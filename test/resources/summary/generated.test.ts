import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { londonDay } from '../../../src/model/timestamp.ts'
import { runs } from '../../runs.ts'
import { type Downloaded, flattenPeople, groupNaively, measureNaively } from './naive.ts'
import { newSampleOrganisation } from './sample.ts'

type Answer = {
  groups: ({ by: unknown[] } & Record<string, unknown>)[]
  total: Record<string, unknown>
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

beforeAll(async () => {
  organisation = await newSampleOrganisation({ people: 60, events: 12, bookings: 700 })
}, 60_000)

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

test('a summary has the figures of a naive evaluation of the downloaded list', async () => {
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
      const { groups, withoutGroup } = groupNaively(records, by, today)
      const differences = (
        figures: Record<string, unknown> | undefined,
        of: readonly Downloaded[],
      ) =>
        measures
          .map((measure) => [measure, figures?.[measure], measureNaively(measure, of)])
          .filter(([, value, naive]) => !isNear(value, naive))
      expect(differences(answer.total, records)).toEqual([])
      if (by.length === 0) return
      expect(answer.groups.map((group) => JSON.stringify(group.by)).toSorted()).toEqual(
        [...groups.keys()].toSorted(),
      )
      expect(differences(answer.withoutGroup, withoutGroup)).toEqual([])
      for (const group of answer.groups)
        expect(differences(group, groups.get(JSON.stringify(group.by)) ?? [])).toEqual([])
    }),
    runs(40),
  )
}, 300_000)
