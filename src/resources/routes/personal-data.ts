import * as z from 'zod'
import { exportPermissions } from '../../access/credential.ts'
import { route } from '../../auth/route.ts'
import { contentDisposition } from '../../formats/download.ts'
import { getLayout, type PersonLayout } from '../../formats/person-layout.ts'
import type { PersonalData } from '../../formats/personal-data-types.ts'
import { createErrorLogger, createStream, type ResponseContext } from '../../formats/stream.ts'
import { negotiateFormat } from '../../http/accept.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { oneOf } from '../../http/parameters.ts'
import { closedQuery } from '../../http/query.ts'
import { type Collection, collectionTitle, recordIdentifier } from '../../model/collection.ts'
import { isInternalKey, type Kind, kinds } from '../../model/properties/schema.ts'
import { recordExport } from '../../store/audit-log.ts'
import { readPersonDrafts } from '../../store/sign-up/form-drafts.ts'
import { readPersonMessages } from '../../store/sign-up/person-messages.ts'
import { readPersonSignUps } from '../../store/sign-up/person-sign-ups.ts'
import type { Store } from '../../store/store.ts'
import { findLinkedCollections, findLinkedRecords } from './linked-records.ts'
import { documentedRecord, responseType } from './record-contracts.ts'
import { pathParameters, type Resource } from './resource.ts'
import { readVisibleVersions } from './versions.ts'

const mediaTypes = { json: 'application/json', zip: 'application/zip' } as const

/** `GET /:id/$everything`: returns everything stored about a person. */
export function getPersonalData(
  resource: Resource & { kind: Kind },
  collections: readonly Collection[],
) {
  const { kind, singular, id: idName } = resource
  const linkedCollections = findLinkedCollections(kind, collections)
  return route(
    {
      operationId: `getEverythingAbout${recordIdentifier(kind)}`,
      summary: `Get everything about a ${singular}`,
      description: `Returns everything stored about the ${singular}: the record, and the records that refer to it or have the ${singular}’s id, e-mail address or telephone number. The response is JSON, or a zip of CSV files with a page of contents. A deleted ${singular} is shown as long as previous versions exist. A key needs \`read\`; a user also needs \`write\`, which readers do not have. Links to other people are left out. Hidden values are left out and listed in \`withheld\`: to answer an access request, use a key without restrictions. The audit log records the request. A transfer that fails is aborted.`,
      isAddition: true,
      path: pathParameters(resource),
      query: closedQuery({
        $format: oneOf(
          ['json', 'zip'],
          {
            description: 'The format of the response; it overrides the `Accept` header.',
            example: 'zip',
          },
          'must be json or zip.',
        ),
      }),
      organisation: kinds[kind].organisation,
      responseHeaders: { 200: ['Content-Disposition'] },
      responses: () => ({
        200: z.strictObject({
          at: z.iso.datetime({ precision: 3 }).meta({
            description: 'The time of the request, in UTC.',
            examples: ['2025-03-01T09:30:00.000Z'],
          }),
          deletedAt: z.iso
            .datetime({ precision: 3 })
            .nullable()
            .meta({
              description:
                'The time of the deletion, in UTC, if the record was deleted: the record is then shown in its last version. Otherwise null.',
              examples: [null],
            }),
          ...responseType(resource).shape,
          otherValues: z.record(z.string(), z.unknown()).meta({
            description: 'Values of fields that the schema no longer has, by field id.',
            examples: [{ Nickname: 'Mara' }],
          }),
          ...Object.fromEntries(
            linkedCollections.map((collection) => [
              collection.plural,
              z.array(documentedRecord(collection)).meta({
                description: `The ${collectionTitle(collection.name)} that concern the person.`,
              }),
            ]),
          ),
          previousVersions: PersonVersions,
          signUps: SignUps,
          messages: Messages,
          drafts: Drafts,
          shared: sharedRecordsType(
            'The records that concern other people too, or have another name. Read them before you hand them over: their text may mention others.',
          ),
          withheld: z.array(z.string()).meta({
            description:
              'Sentences about the values that are hidden from the caller; empty if all are visible.',
            examples: [['Private case notes are left out.']],
          }),
        }),
        404: ErrorBody,
      }),
      otherFormats: { [mediaTypes.zip]: 'PK…' },
    },
    async (c) => {
      const id = String(c.req.param(idName))
      const personalData = await collectPersonalData(c.var.store, resource, id, collections)
      const format =
        c.req.valid('query').$format ?? negotiateFormat(mediaTypes, c.req.header('Accept'))
      return respondWithPersonalData(c, personalData, format)
    },
  )
}

/** Streams everything about a person as JSON or a zip. */
export async function respondWithPersonalData(
  c: ResponseContext,
  personalData: PersonalData,
  format: keyof typeof mediaTypes,
): Promise<Response> {
  const { buildArchiveFiles, serialisePersonalData } = await import(
    '../../formats/personal-data.ts'
  )
  if (format === 'json') {
    const body = createStream(serialisePersonalData(personalData), createErrorLogger(c))
    return new Response(body, { headers: { 'Content-Type': mediaTypes.json } })
  }
  const { createZip } = await import('../../formats/zip.ts')
  const { kind, id } = personalData
  return new Response(createZip(buildArchiveFiles(personalData), createErrorLogger(c)), {
    headers: {
      'Content-Type': mediaTypes.zip,
      'Content-Disposition': contentDisposition(c, `${kinds[kind].singular}-${id}`, 'zip'),
    },
  })
}

/**
 * Returns everything stored about a person, even a deleted one with previous versions, and records the
 * request in the audit log. Throws 403 if the caller may not export people or the member is another
 * organisation's, and 404 for an unknown id.
 */
export async function collectPersonalData(
  store: Store,
  resource: Resource & { kind: Kind },
  id: string,
  collections: readonly Collection[],
): Promise<PersonalData> {
  const { kind } = resource
  const permissions = exportPermissions(store.credential)
  const { document, deletedAt, schema, render, versions } = await readVisibleVersions(
    store,
    resource,
    id,
    { permissions, withMerged: true },
  )
  store.countReturned(kind, 1)
  const layout = getLayout(schema)
  const linkedRecords = await findLinkedRecords(store, kind, id, collections)
  return {
    ...linkedRecords,
    kind,
    id,
    document,
    deletedAt,
    layout,
    properties: render(document),
    previousVersions: versions,
    readSignUps: async () => {
      // Any answer could be of a hidden kind.
      if (store.policy.isRestricted) return []
      return readPersonSignUps(store, { kind, id, emails: linkedRecords.emails })
    },
    readMessages: async (signUps) => {
      if (store.policy.isRestricted) return []
      const given = signUps.flatMap(({ contact }) => contact?.email || [])
      return readPersonMessages(store, [...linkedRecords.emails, ...given])
    },
    readDrafts: async () =>
      store.policy.isRestricted ? [] : readPersonDrafts(store, { kind, id }),
    // A value without a schema field has no category, so it could belong to a hidden one.
    otherValues: store.policy.hidesFields ? {} : findOtherValues(document, kind, layout),
    organisation: await recordExport(store, kind, id),
    at: new Date().toISOString(),
  }
}

// Types with an id are in the OpenAPI document once for all kinds of people.

const PersonVersions = z
  .array(
    z.strictObject({
      replacedAt: z.iso.datetime({ precision: 3 }).meta({
        description: 'The time of the change that replaced this version, in UTC.',
        examples: ['2025-03-01T09:30:00.000Z'],
      }),
      record: z.unknown().meta({
        description: 'The person in this version, as the single `GET` shows them.',
        examples: [{}],
      }),
    }),
  )
  .meta({
    id: 'PersonVersions',
    description:
      'The previous versions that are still stored, of the record and of those that were merged into it.',
  })

const SignUp = z.strictObject({
  bookingId: z.string().meta({ description: 'The id of the booking.', examples: ['booking-1042'] }),
  contact: z
    .strictObject({
      name: z.string().meta({ description: 'The name that they gave.', examples: ['Amara Abara'] }),
      email: z
        .string()
        .meta({ description: 'Their email address.', examples: ['amara.abara@example.org'] }),
    })
    .nullable()
    .meta({
      description:
        'The name and address that the person gave; null if somebody else signed up for them.',
      examples: [{ name: 'Amara Abara', email: 'amara.abara@example.org' }],
    }),
  answers: z.record(z.string(), z.unknown()).meta({
    description: 'The answers by field of the members’ schema.',
    examples: [{ 'Full Name': 'Amara Abara' }],
  }),
  questionAnswers: z.record(z.string(), z.string()).meta({
    description: 'The answers by question of the event.',
    examples: [{ diet: 'Vegetarian' }],
  }),
})

const SignUps = z.array(SignUp).meta({
  id: 'SignUps',
  description:
    'The sign-ups behind the bookings of a member, and those that the person made for somebody else, without answers, until 30 days after each event; none for keys with restrictions.',
})

const Messages = z
  .array(
    z.strictObject({
      address: z
        .string()
        .meta({ description: 'The email address.', examples: ['amara@example.org'] }),
      purpose: z.string().meta({ description: 'What it was for.', examples: ['reminder'] }),
      recordId: z.string().meta({ description: 'The event or form.', examples: ['event-1'] }),
      subject: z
        .string()
        .nullable()
        .meta({ description: 'The subject, if staff wrote it.', examples: ['Bring an apron'] }),
      state: z.string().meta({ description: 'Whether it was sent.', examples: ['sent'] }),
      updated: z.string().meta({
        description: 'The time of the last change of the state.',
        examples: ['2026-06-19T09:00:00.000Z'],
      }),
    }),
  )
  .meta({
    id: 'Messages',
    description: 'The messages to their addresses; none for keys with restrictions.',
  })

const Drafts = z
  .array(
    z.strictObject({
      formId: z.string().meta({ description: 'The id of the form.', examples: ['form-feedback'] }),
      saved: z
        .string()
        .meta({ description: 'The time of saving.', examples: ['2026-06-19T09:00:00.000Z'] }),
      entries: z
        .array(
          z.strictObject({
            control: z.string().meta({
              description: 'The control, with the id of its question.',
              examples: ['q.question-3'],
            }),
            value: z.string().meta({ description: 'What they entered.', examples: ['A friend'] }),
          }),
        )
        .meta({ description: 'What they entered, by control.' }),
    }),
  )
  .meta({
    id: 'Drafts',
    description: 'Their unsent answers to forms; none for keys with restrictions.',
  })

function findOtherValues(
  document: string,
  kind: Kind,
  { fieldIds }: PersonLayout,
): Record<string, unknown> {
  const entries = Object.entries<unknown>(JSON.parse(document)).filter(
    ([name]) => name !== kinds[kind].id && !fieldIds.has(name) && !isInternalKey(name),
  )
  return Object.fromEntries(entries)
}

/** The type of a list of records that concern several people. */
export const sharedRecordsType = (description: string) =>
  z
    .array(
      z.strictObject({
        collection: z.string().meta({
          description: 'The collection of the record, as in the path of its list.',
          examples: ['case-notes'],
        }),
        id: z.string().meta({ description: 'The id of the record.', examples: ['note-7'] }),
      }),
    )
    .meta({ description })
