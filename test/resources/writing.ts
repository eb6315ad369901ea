import { isKind } from '../../src/model/properties/schema.ts'
import { withPostcodeKeys } from '../../src/records/person.ts'
import { parseSchema } from '../../src/records/schema/schema.ts'
import { everything } from '../examples/everything.ts'
import { fields, personOf } from '../examples/people.ts'
import { createKey } from '../keys.ts'
import { newOrganisation, type TestDatabase } from '../organisation.ts'

/** The collections, each with the envelope key of one record and the property of its id. */
export const collections = [
  ['members', 'member', 'memberId'],
  ['volunteers', 'volunteer', 'volunteerId'],
  ['partners', 'partner', 'partnerId'],
  ['events', 'event', 'eventId'],
  ['bookings', 'booking', 'bookingId'],
  ['forms', 'form', 'formId'],
  ['survey-responses', 'surveyResponse', 'responseId'],
  ['case-notes', 'caseNote', 'noteId'],
  ['funds', 'fund', 'fundId'],
  ['grant-applications', 'application', 'applicationId'],
  ['disbursements', 'disbursement', 'disbursementId'],
] as const

/** Returns the key of a collection's list. */
export const plural = (collection: string) =>
  ({
    'survey-responses': 'surveyResponses',
    'case-notes': 'caseNotes',
    'grant-applications': 'applications',
  })[collection] ?? collection

/** Creates an organisation with a schema of every person kind, unless it is null, and a key with every permission. */
export async function newWriter(
  schemaFields: object[] | null = fields,
  database: TestDatabase = 'DB',
) {
  const organisation = await newOrganisation(schemaFields, database)
  const { id, storage } = organisation
  const may = ['read', 'create-members', 'write', 'manage-webhooks']
  const { key } = await createKey(storage, id, 'writer', 'a test', undefined, may)
  const send = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    organisation.get(path, {
      method,
      headers: { 'x-api-key': key, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const read = async (path: string) => {
    const answer = await organisation.get(path)
    return {
      status: answer.status,
      etag: answer.headers.get('ETag') ?? '',
      body: await answer.text(),
    }
  }
  return { ...organisation, key, readingKey: organisation.key, send, read }
}

export type Writer = Awaited<ReturnType<typeof newWriter>>

const schema = { name: 'People', fields: parseSchema('members', { fields }).data?.fields ?? [] }

/** Fills an organisation with the example of every collection and the records these refer to. */
export async function putExamples({ putEach, id: managedBy }: Writer) {
  const all = [
    ...Object.entries(everything),
    ['members', personOf('memberId', 'member-2')] as const,
  ]
  const records = all.map(([collection, { id, document }]) => {
    const managed = 'managedBy' in document ? { ...document, managedBy } : document
    const prepared = isKind(collection)
      ? withPostcodeKeys(collection, schema, { ...document })
      : managed
    return [collection, { id, document: prepared }] as const
  })
  await putEach(records)
}

/** The status of a response and its error message, if any. */
export const statusAndMessage = async (answer: Response) => [
  answer.status,
  (await answer.json<{ message?: string }>()).message,
]
