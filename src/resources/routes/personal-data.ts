import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../../auth/env.ts'
import { negotiateFormat } from '../../formats/accept.ts'
import { contentDisposition } from '../../formats/download.ts'
import { findLinkedCollections, findLinkedRecords } from '../../formats/linked-records.ts'
import { getLayout, type PersonLayout } from '../../formats/person-layout.ts'
import type { PersonalData } from '../../formats/personal-data-parts.ts'
import { createErrorLogger, createStream } from '../../formats/stream.ts'
import { type Contract, endpoint, type ValidInput } from '../../http/contract.ts'
import { closedQuery } from '../../http/query.ts'
import type { Collection } from '../../model/collection.ts'
import { collectionTitle } from '../../model/collection-title.ts'
import { ErrorBody } from '../../model/error-body.ts'
import { isInternalKey } from '../../model/internal-keys.ts'
import { type Kind, kinds } from '../../model/schema.ts'
import type { Store } from '../../store/store.ts'
import { pathParameters, type Resource } from './resource.ts'
import { sharedRecordsType } from './shared.ts'
import { requireRecord } from './single-route.ts'

const mediaTypes = { json: 'application/json', zip: 'application/zip' } as const

/** `GET /:id/$everything`: all that is kept of a person, in every collection (additions 5). */
export function getPersonalData(
  resource: Resource & { kind: Kind },
  collections: readonly Collection[],
) {
  const { kind, singular, id: idName, responseType } = resource
  const linkedCollections = findLinkedCollections(kind, collections)
  const contract = {
    summary: `Get everything of a ${singular}`,
    description: `An addition to the contract. All that is kept of one of the ${kind}: the record, and what names them of ${linkedCollections.map(({ name }) => collectionTitle(name)).join(', ')}. As JSON, or as a zip of CSV files with a page of contents in plain words. Whoever else a record names is left out. What the credentials do not see is not in it, and \`withheld\` says so: for an answer to a request for access take a key without limits. That it was asked for is in the audit trail. It breaks off if it cannot be finished.`,
    path: pathParameters(resource),
    query: closedQuery({
      $format: z
        .enum(['json', 'zip'], 'must be one of json, zip.')
        .optional()
        .meta({
          description: 'The form of the answer, whatever the `Accept` header asks for.',
          examples: ['zip'],
        }),
    }),
    organisation: kind === 'members' ? 'record' : 'query',
    responses: {
      200: z.strictObject({
        at: z.iso.datetime({ precision: 3 }).meta({
          description: 'When all of this was read, in UTC.',
          examples: ['2025-03-01T09:30:00.000Z'],
        }),
        ...responseType.shape,
        otherValues: z.record(z.string(), z.unknown()).meta({
          description: 'Values of fields that the schema has no more, by the id of the field.',
          examples: [{ Nickname: 'Mara' }],
        }),
        ...Object.fromEntries(
          linkedCollections.map(({ name, plural, record }) => [
            plural,
            z.array(record).meta({
              description: `The ${collectionTitle(name)} that name them, as their list shows them.`,
            }),
          ]),
        ),
        shared: sharedRecordsType(
          'Those of these records that are of others too. What is written in them may speak of the others: read it before you hand it over.',
        ),
        withheld: z.array(z.string()).meta({
          description: 'What is kept from these credentials, in sentences; empty if nothing is.',
          examples: [['Case notes that are private are left out.']],
        }),
      }),
      404: ErrorBody,
    },
    otherFormats: { [mediaTypes.zip]: 'PK…' },
  } satisfies Contract
  const handler: Handler<Env, string, ValidInput<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const personalData = await collectPersonalData(c.var.store, resource, id, collections)
    const format =
      c.req.valid('query').$format ?? negotiateFormat(mediaTypes, c.req.header('Accept'))
    const { buildArchiveFiles, serialisePersonalData } = await import(
      '../../formats/personal-data.ts'
    )
    if (format === 'json') {
      const body = createStream(serialisePersonalData(personalData), createErrorLogger(c))
      return new Response(body, { headers: { 'Content-Type': mediaTypes.json } })
    }
    const { createZip } = await import('../../formats/zip.ts')
    return new Response(createZip(buildArchiveFiles(personalData), createErrorLogger(c)), {
      headers: {
        'Content-Type': mediaTypes.zip,
        'Content-Disposition': contentDisposition(c, `${singular}-${id}`, 'zip'),
      },
    })
  }
  return [endpoint(contract), handler] as const
}

/** All that is kept of a person, which the audit trail notes. Throws 404 where there is none with this id, 403 where it is another organisation's member. */
export async function collectPersonalData(
  store: Store,
  resource: Resource & { kind: Kind },
  id: string,
  collections: readonly Collection[],
): Promise<PersonalData> {
  const { kind } = resource
  const { organisationId } = store
  const single = await requireRecord(store, resource, id)
  const { document } = single.kept
  const layout = getLayout(single.schema)
  return {
    ...findLinkedRecords(store, kind, id, collections),
    ...{ kind, id, document, layout },
    properties: resource.render({ id, organisationId, document, single, profileFields: undefined }),
    // Without its field, nobody can tell whether a value is to be kept from somebody.
    otherValues: store.view.restrictions.without ? {} : findOtherValues(document, kind, layout),
    organisation: await store.recordExport(kind, id),
    at: new Date().toISOString(),
  }
}

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
