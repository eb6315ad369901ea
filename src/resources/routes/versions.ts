import * as z from 'zod'
import { route } from '../../auth/route.ts'
import { serialiseObject } from '../../formats/json.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { lowerCaseBoolean } from '../../http/parameters.ts'
import { matchHeaders, parsePreconditions } from '../../http/preconditions.ts'
import { closedQuery } from '../../http/query.ts'
import { describeAuthor } from '../../model/author.ts'
import { readVersions, type VersionsOptions } from '../../store/history/versions.ts'
import { emptySingle } from '../../store/read/single.ts'
import type { Store } from '../../store/store.ts'
import { type Resource, redactorOf } from './resource.ts'
import { requireRecord } from './single-route.ts'

const time = (description: string) =>
  z.iso.datetime({ precision: 3 }).meta({ description, examples: ['2026-03-14T09:30:00.000Z'] })

const pathParameters = {
  collection: { description: 'The path segment of a collection.', example: 'events' },
  id: { description: 'The id of a record.', example: 'event-1' },
}

const PreviousVersions = z
  .strictObject({
    versions: z
      .array(
        z.strictObject({
          version: z.int().meta({
            description: 'The number of this version, for `$restore`.',
            examples: [4711],
          }),
          at: time('The time of the change that made this version, in UTC.'),
          replacedAt: time('The time of the change that replaced it, in UTC.'),
          change: z.enum(['updated', 'deleted']).meta({
            description: 'Whether that change updated or deleted the record.',
            examples: ['updated'],
          }),
          by: z.string().meta({
            description: 'The author of that change.',
            examples: ['key Website (sk_1a2b3c…)'],
          }),
          record: z.unknown().meta({
            description: 'The record in this version, as the single `GET` shows it.',
            examples: [{}],
          }),
        }),
      )
      .meta({ description: 'The previous versions, newest first.' }),
  })
  .meta({ id: 'PreviousVersions' })

/** `GET /:id/$versions`: lists the previous versions of a record. */
export function listVersions(resource: Resource) {
  const { name, id: idName } = resource
  return route(
    {
      operationId: 'listVersions',
      summary: 'List the previous versions of a record',
      description:
        'The versions that were replaced or deleted in the last days, newest first, also of a deleted record. The organisation chooses for how many days they are stored, 30 by default. Each shows what the credentials may see of it.',
      isAddition: true,
      sharedTag: 'versions',
      path: pathParameters,
      query: closedQuery(),
      organisation: name === 'members' ? 'record' : 'query',
      responses: () => ({ 200: PreviousVersions, 404: ErrorBody }),
    },
    async (c) => {
      const { store } = c.var
      const id = String(c.req.param(idName))
      const { versions } = await readVisibleVersions(store, resource, id)
      store.countReturned(name, versions.length)
      const items = versions.map(({ text, version, at, replacedAt, change, author, key }) =>
        serialiseObject({
          version: `${version}`,
          at: JSON.stringify(at),
          replacedAt: JSON.stringify(replacedAt),
          change: JSON.stringify(change),
          by: JSON.stringify(describeAuthor(author, key)),
          record: text,
        }),
      )
      return c.body(`{"versions":[${items.join(',')}]}`, 200, {
        'Content-Type': 'application/json',
      })
    },
  )
}

const RestoreResult = z
  .strictObject({
    restored: z.record(z.string(), z.int()).meta({
      description: 'How many other records of each collection were restored.',
      examples: [{ bookings: 3 }],
    }),
    left: z
      .array(
        z.strictObject({
          collection: z
            .string()
            .meta({ description: 'The path segment of its collection.', examples: ['bookings'] }),
          id: z.string().meta({ description: 'The id of the record.', examples: ['booking-1042'] }),
        }),
      )
      .meta({
        description:
          'The records that were not restored, because they changed since or refer to a record that no longer exists, and bookings restored without their sign-up, whose data was due for deletion.',
      }),
  })
  .meta({ id: 'RestoreResult' })

/** `POST /:id/$restore`: restores a previous version of a record. */
export function restoreRoute(resource: Resource) {
  const { id: idName } = resource
  return route(
    {
      operationId: 'restoreVersion',
      summary: 'Restore a previous version of a record',
      description:
        'Writes a previous version again, as a new change; a deleted record exists again with its id. With `$cascade=true`, other records that the same deletion or merge deleted or changed are restored too, unless they changed since or refer to a record that no longer exists. Needs the `read` and `write` permissions, and a key must see every record.',
      isAddition: true,
      sharedTag: 'versions',
      path: pathParameters,
      query: closedQuery({
        $cascade: lowerCaseBoolean(
          'Whether to restore the other records that the same deletion or merge deleted or changed.',
        ),
      }),
      headers: matchHeaders,
      body: z.strictObject({
        version: z
          .int('must be a whole number.')
          .meta({ description: 'A version from `$versions`.', examples: [4711] }),
      }),
      responses: () => ({
        200: RestoreResult,
        403: ErrorBody,
        404: ErrorBody,
        409: ErrorBody,
        412: ErrorBody,
        413: ErrorBody,
        415: ErrorBody,
      }),
    },
    async (c) => {
      const id = String(c.req.param(idName))
      const { version } = c.req.valid('json')
      const cascade = c.req.valid('query').$cascade === 'true'
      const records = await c.var.openRecords()
      const preconditions = parsePreconditions(c.req.valid('header'))
      const result = await records.restore(resource, { id, version, cascade }, preconditions)
      return c.json(result)
    },
  )
}

/**
 * Reads a record and its previous versions as the credential may see them, with redacted documents;
 * a deleted record has the document of its last version. Throws like the single `GET` if the record
 * is hidden, or if it and all its versions are missing.
 */
export async function readVisibleVersions(
  store: Store,
  resource: Resource,
  id: string,
  options?: VersionsOptions,
) {
  const { name, kind, related } = resource
  const query = { collection: name, id, kind }
  const result = await readVersions(store, query, options)
  const { current, currentVersion, schema: stored, versions } = result
  const { policy } = store
  const [latest] = versions.filter((version) => version.id === id)
  const deletion = latest?.change === 'deleted' ? latest : undefined
  // Whether a deleted record was visible is unknown once its last version is gone.
  const isVisible = policy.allowsRecord(name, current ?? deletion?.document ?? '{}')
  // Throws 403 or 404, as the single `GET` would.
  if (!isVisible || (current === undefined && !latest)) await requireRecord(store, resource, id)
  const redact = redactorOf(resource, policy)
  const schema = related.schema && policy.redactSchema(related.schema, stored)
  const render = (document: string, recordId = id) =>
    resource.render({
      id: recordId,
      organisationId: store.organisationId,
      profileFields: undefined,
      document: redact(document),
      single: { ...emptySingle, schema },
    })
  return {
    document: current ?? latest?.document ?? '{}',
    currentVersion,
    deletedAt: current === undefined ? latest?.replacedAt : undefined,
    schema,
    render,
    versions: versions
      .filter(({ document }) => policy.allowsRecord(name, document))
      .map((version) => ({
        ...version,
        text: render(version.document, version.id)[resource.singular] ?? '',
      })),
  }
}
