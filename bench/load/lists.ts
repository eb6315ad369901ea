import type { Properties } from './demo-records.ts'
import { is } from './judge.ts'
import type { NewMembers } from './new-members.ts'
import type { Organisation } from './organisations.ts'
import type { Question, Situation } from './question.ts'
import type { Seeded } from './seeded.ts'
import { item, list, shown } from './served.ts'

/** The fields for filters: members created during the load have no values in them. */
const filtered: Record<string, string[]> = {
  members: ['demographics.gender', 'College', 'Joined', 'Contact Consent'],
  volunteers: ['Role', 'Started', 'DBS Checked'],
  partners: ['Organisation Type', 'Active'],
  events: ['name', 'parentEventId', 'bookable'],
  bookings: ['eventId', 'memberId', 'userStatus', 'date', 'attending', 'duration'],
  forms: ['type', 'formFor'],
  'survey-responses': ['surveyId', 'creator', 'isPrivate'],
  'case-notes': ['caseId', 'creator', 'isPinned'],
  funds: ['recipientType', 'isOpenCall'],
  'grant-applications': ['status', 'fundId', 'identifier', 'granteeId'],
  disbursements: ['status', 'fundId', 'grantId', 'amount'],
}

/** Filters with another name. */
const named: Record<string, string> = {
  'survey-responses surveyId': 'SurveyId',
  'case-notes creator': 'Creator',
  'case-notes isPinned': 'Pinned',
}

/** A page of a collection other than members, which grow during the load. */
export function page(random: Seeded, organisation: Organisation): Question {
  const collection = random.pick(Object.keys(shown).filter((name) => name !== 'members'))
  const records = organisation.records[collection] ?? []
  return pageOf(random, organisation, collection, records, '')
}

/** A page of the records that one or two fields tell from the rest, by values that some organisation has. */
export function filteredPage(random: Seeded, { organisation, others }: Situation): Question {
  const collection = random.pick(Object.keys(shown))
  const model = random.pick(random.pick([organisation, ...others]).records[collection] ?? [])
  const fields = random
    .some(filtered[collection] ?? [], random.integer(1, 2))
    .filter((field) => model[field] !== undefined && model[field] !== null)
  const records = organisation.records[collection] ?? []
  const matching = records.filter((record) => fields.every((name) => record[name] === model[name]))
  if (fields.length === 0) return page(random, organisation)
  const query = fields.map((field) => {
    const name = named[`${collection} ${field}`] ?? field
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(model[field]))}`
  })
  return pageOf(random, organisation, collection, matching, query.join('&'))
}

function pageOf(
  random: Seeded,
  organisation: Organisation,
  collection: string,
  records: readonly Properties[],
  filters: string,
): Question {
  const { offset, limit, query } = window(random, records.length)
  const items = records.map((record) => textOf(organisation, collection, record))
  return {
    route: `GET /${collection}`,
    path: `/${collection}?${[filters, query].filter(Boolean).join('&')}`,
    fault: is(200, () => list(organisation, collection, items, { offset, limit })),
  }
}

/** A page of all members, including those created during the load. */
export function pageOfMembers(random: Seeded, newMembers: NewMembers): Question {
  const { least, most } = newMembers.counts
  const { offset, limit, query } = window(random, most)
  return {
    route: 'GET /members',
    path: `/members?${query}`,
    fault: ({ status, text }) =>
      status === 200 ? newMembers.faultOfPage(text, { offset, limit }, least) : `status ${status}`,
  }
}

function window(random: Seeded, records: number) {
  const limit = random.pick([100, 100, 10, 250, 1])
  const offset = random.chance(0.4) ? 0 : random.integer(0, records + 2)
  const query = [limit === 100 ? '' : `limit=${limit}`, offset === 0 ? '' : `offset=${offset}`]
  return { limit, offset, query: query.filter(Boolean).join('&') }
}

// A record's text is made once: it never changes.
const texts = new WeakMap<Properties, string>()

function textOf(organisation: Organisation, collection: string, record: Properties): string {
  const text = texts.get(record) ?? item(organisation, collection, record)
  texts.set(record, text)
  return text
}
