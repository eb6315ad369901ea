import type { Kind, Schema } from '../../src/model/properties/schema.ts'
import type { Properties } from './demo-records.ts'
import type { Organisation } from './organisations.ts'

/*
 * The responses that the API must give, written from the contract rather than by the code under test.
 * Every function returns JSON text, byte by byte as it must be served.
 */

type ListShape = {
  plural: string
  id: string
  singular?: string
  /** Properties that a list omits. */
  omitted?: readonly string[]
}

/** The response names of each collection. */
export const listShapes: Record<string, ListShape> = {
  members: { plural: 'members', id: 'memberId', singular: 'member' },
  volunteers: { plural: 'volunteers', id: 'volunteerId', singular: 'volunteer' },
  partners: { plural: 'partners', id: 'partnerId', singular: 'partner' },
  events: { plural: 'events', id: 'eventId', singular: 'event' },
  bookings: { plural: 'bookings', id: 'bookingId', singular: 'booking' },
  forms: { plural: 'forms', id: 'formId', singular: 'form', omitted: ['questions'] },
  'survey-responses': {
    plural: 'surveyResponses',
    id: 'responseId',
    singular: 'surveyResponse',
  },
  'case-notes': { plural: 'caseNotes', id: 'noteId', singular: 'caseNote' },
  funds: {
    plural: 'funds',
    id: 'fundId',
    singular: 'fund',
    omitted: [
      ...['strengths', 'weaknesses', 'assessment', 'assessors', 'geography'],
      ...['applicationNumbering', 'agreement'],
    ],
  },
  'grant-applications': {
    plural: 'applications',
    id: 'applicationId',
    singular: 'application',
    omitted: [
      ...['monitoring', 'actions', 'recipient.registeredId', 'recipient.registrationType'],
      ...['recipient.address', 'recipient.country'],
    ],
  },
  disbursements: { plural: 'disbursements', id: 'disbursementId', singular: 'disbursement' },
}

const kindOf: Record<string, Kind> = {
  members: 'members',
  volunteers: 'volunteers',
  partners: 'partners',
}

/** Returns a record's text in a list. */
export function formatItem(
  organisation: Organisation,
  collection: string,
  record: Properties,
): string {
  const kind = kindOf[collection]
  if (kind) return personItem(organisation, kind, record)
  if (collection === 'bookings') return booking(organisation, record)
  return JSON.stringify(without(record, listShapes[collection]?.omitted ?? []))
}

/** Returns the text of a list with these items. */
export function formatList(
  organisation: Organisation,
  collection: string,
  items: readonly string[],
  { offset, limit }: { offset: number; limit: number },
): string {
  const kind = kindOf[collection]
  const info =
    kind && kind !== 'members' ? `"schemaInfo":${schemaInfo(organisation, kind, 'self')},` : ''
  const total = kind === 'members' ? '' : `,"total":${items.length}`
  const page = items.slice(offset, offset + limit)
  return `{"${listShapes[collection]?.plural}":[${page}],${info}"offset":${offset},"limit":${limit}${total}}`
}

/** Returns the text of a single record's response. */
export function formatSingle(
  organisation: Organisation,
  collection: string,
  record: Properties,
): string {
  const { singular, id = '' } = listShapes[collection] ?? {}
  const kind = kindOf[collection]
  if (collection === 'bookings') return `{"${singular}":${booking(organisation, record)}}`
  if (!kind) return `{"${singular}":${JSON.stringify(record)}}`
  const fields = fieldObjects(organisation.schemas[kind], record, true)
  const info = schemaInfo(organisation, kind, kind === 'members' ? 'schema' : 'self')
  return `{"${singular}":${JSON.stringify({ [id]: record[id], fields })},"schemaInfo":${info}}`
}

/** Returns the text of a person's data without its leading time: the records linked to them, without other people's data. */
export function everything(organisation: Organisation, kind: Kind, person: Properties): string {
  const id = String(person[listShapes[kind]?.id ?? ''])
  const linkName = `${listShapes[kind]?.singular}Ids`
  const linked = ['survey-responses', 'case-notes'].map((collection) => {
    const records = (organisation.records[collection] ?? []).filter((record) =>
      (record.linkedEntities as Links)[linkName]?.includes(id),
    )
    return { collection, records }
  })
  const isShared = (record: Properties) =>
    Object.values(record.linkedEntities as Links).flat().length > 1
  const shared = linked.flatMap(({ collection, records }) =>
    records
      .filter(isShared)
      .map((record) => ({ collection, id: record[listShapes[collection]?.id ?? ''] })),
  )
  const applications = (organisation.records['grant-applications'] ?? []).filter(
    ({ granteeId }) => granteeId === id,
  )
  // The contact of an organisation's application is another person.
  const sharedApplications = applications
    .filter(() => kind === 'partners')
    .map(({ applicationId }) => ({ collection: 'grant-applications', id: applicationId }))
  // The ids of the booker and the funder may be those of other people.
  const bookings = organisation.records.bookings
    ?.filter(({ memberId }) => memberId === id)
    .map((booking) => ({
      ...booking,
      booker: booking.booker === booking.user ? booking.booker : '',
      funderMemberId: null,
    }))
  const members = {
    deletedAt: null,
    ...JSON.parse(formatSingle(organisation, kind, person)),
    otherValues: {},
    // Nobody's details are in the events, funds and payments of the demo.
    events: [],
    bookings: kind === 'members' ? bookings : [],
    ...Object.fromEntries(
      linked.map(({ collection, records }) => [
        listShapes[collection]?.plural,
        records.map((record) => ({
          ...record,
          linkedEntities: { memberIds: [], partnerIds: [], volunteerIds: [], [linkName]: [id] },
        })),
      ]),
    ),
    funds: [],
    applications,
    disbursements: [],
    previousVersions: [],
    signUps: [],
    messages: [],
    drafts: [],
    shared: [...shared, ...sharedApplications],
    withheld: [],
  }
  return JSON.stringify(members)
}

type Links = Record<string, string[]>

/** Returns the text of a schema, in both documented shapes. */
export function schema({ id, schemas }: Organisation, kind: Kind): string {
  const { name, fields } = schemas[kind]
  const schema = { organisationId: id, schemaId: 'master', name, fields }
  return JSON.stringify({ ...schema, schema })
}

function personItem(organisation: Organisation, kind: Kind, person: Properties): string {
  const id = listShapes[kind]?.id ?? ''
  const fields = fieldObjects(organisation.schemas[kind], person, false)
  const text = JSON.stringify({ [id]: person[id], fields })
  if (kind !== 'members') return text
  return `${text.slice(0, -1)},"schemaInfo":${schemaInfo(organisation, kind, 'schema')}}`
}

function booking({ schemas, records }: Organisation, record: Properties): string {
  const { memberId } = record
  const member = records.members?.find((one) => one.memberId === memberId)
  const profileId = { key: 'profileId', label: 'Profile ID', value: memberId, type: 'string' }
  const fields = member ? fieldObjects(schemas.members, member, false) : []
  const profileFields = fields.filter(({ key }) =>
    ['Full Name', 'Postcode', 'Email', 'Phone'].includes(key),
  )
  return JSON.stringify({ ...record, profile: { memberId, fields: [profileId, ...profileFields] } })
}

function fieldObjects({ fields }: Schema, person: Properties, withOptions: boolean) {
  return fields
    .filter(({ id }) => person[id] !== undefined)
    .map(({ id, label, type, options }) => ({
      key: id,
      label,
      value: person[id],
      type,
      ...(withOptions && options && { options }),
    }))
}

function schemaInfo({ id, schemas }: Organisation, kind: Kind, relation: string): string {
  return JSON.stringify({
    organisationId: id,
    schemaId: 'master',
    name: schemas[kind].name,
    _links: { [relation]: { href: `/api/v1/schemas/${id}` } },
  })
}

function without(record: Properties, paths: readonly string[], above = ''): Properties {
  const entries = Object.entries(record).filter(([name]) => !paths.includes(above + name))
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const within = paths.some((path) => path.startsWith(`${above}${name}.`))
      return [name, within ? without(value as Properties, paths, `${above}${name}.`) : value]
    }),
  )
}
