import { expectText } from './check-response.ts'
import type { Properties } from './demo-records.ts'
import { formatItem, formatList, listShapes } from './expected-responses.ts'
import type { NewMembers } from './new-members.ts'
import type { Organisation } from './organisations.ts'
import type { Random } from './random.ts'
import type { Situation } from './situation.ts'
import type { Step } from './step.ts'

/** The filtered fields. Members created during the load have no values in them. */
const filterFields: Record<string, string[]> = {
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

/** Filters with another name than their property. */
const filterNames: Record<string, string> = {
  'survey-responses surveyId': 'SurveyId',
  'case-notes creator': 'Creator',
  'case-notes isPinned': 'Pinned',
}

/** Reads a page of a collection other than members, which grow during the load. */
export function readPage(random: Random, organisation: Organisation): Step {
  const collection = random.pick(Object.keys(listShapes).filter((name) => name !== 'members'))
  const records = organisation.records[collection] ?? []
  return buildPageStep(random, organisation, collection, records, '')
}

/** Reads a page filtered by one or two fields, with values of any organisation. */
export function readFilteredPage(random: Random, situation: Situation): Step {
  const { organisation } = situation
  const selection = pickSelection(random, situation)
  if (!selection) return readPage(random, organisation)
  const { collection, matching, query } = selection
  return buildPageStep(random, organisation, collection, matching, query)
}

/** Counts the records filtered by one or two fields. */
export function readSummary(random: Random, situation: Situation): Step {
  const selection = pickSelection(random, situation)
  if (!selection) return readPage(random, situation.organisation)
  const { collection, matching, query } = selection
  return {
    route: `GET /${collection}/$summary`,
    path: `/${collection}/$summary?${query}`,
    findError: ({ status, text }) =>
      status === 200 && JSON.parse(text).total.count === matching.length
        ? undefined
        : `status ${status}: ${text}`,
  }
}

type RecordSelection = { collection: string; matching: readonly Properties[]; query: string }

/** Picks a filter by one or two fields of a collection. Returns undefined if a record has no values in them. */
function pickSelection(
  random: Random,
  { organisation, others }: Situation,
): RecordSelection | undefined {
  const collection = random.pick(Object.keys(listShapes))
  const model = random.pick(random.pick([organisation, ...others]).records[collection] ?? [])
  const fields = random
    .some(filterFields[collection] ?? [], random.integer(1, 2))
    .filter((field) => model[field] !== undefined && model[field] !== null)
  if (fields.length === 0) return undefined
  const records = organisation.records[collection] ?? []
  const matching = records.filter((record) => fields.every((name) => record[name] === model[name]))
  const query = fields.map((field) => {
    const name = filterNames[`${collection} ${field}`] ?? field
    return `${encodeURIComponent(name)}=${encodeURIComponent(String(model[field]))}`
  })
  return { collection, matching, query: query.join('&') }
}

function buildPageStep(
  random: Random,
  organisation: Organisation,
  collection: string,
  records: readonly Properties[],
  filters: string,
): Step {
  const { offset, limit, query } = pickWindow(random, records.length)
  const items = records.map((record) => cachedItem(organisation, collection, record))
  return {
    route: `GET /${collection}`,
    path: `/${collection}?${[filters, query].filter(Boolean).join('&')}`,
    findError: expectText(200, () =>
      formatList(organisation, collection, items, { offset, limit }),
    ),
  }
}

/** Reads a page of all members, including those created during the load. */
export function readMembers(random: Random, newMembers: NewMembers): Step {
  const { min, max } = newMembers.counts
  const { offset, limit, query } = pickWindow(random, max)
  return {
    route: 'GET /members',
    path: `/members?${query}`,
    findError: ({ status, text }) =>
      status === 200 ? newMembers.findPageError(text, { offset, limit }, min) : `status ${status}`,
  }
}

function pickWindow(random: Random, records: number) {
  const limit = random.pick([100, 100, 10, 250, 1])
  const offset = random.chance(0.4) ? 0 : random.integer(0, records + 2)
  const query = [limit === 100 ? '' : `limit=${limit}`, offset === 0 ? '' : `offset=${offset}`]
  return { limit, offset, query: query.filter(Boolean).join('&') }
}

// A record's text never changes.
const texts = new WeakMap<Properties, string>()

function cachedItem(organisation: Organisation, collection: string, record: Properties): string {
  const text = texts.get(record) ?? formatItem(organisation, collection, record)
  texts.set(record, text)
  return text
}
