import type { Env } from '../auth/env.ts'
import { route } from '../auth/route.ts'
import { addProfile, buildProfileLayout } from '../formats/booking.ts'
import { type JsonProperties, jsonContent } from '../formats/json.ts'
import { getLayout, serialiseFields, serialisePerson } from '../formats/person-layout.ts'
import { Hono } from '../http/hono.ts'
import { convertedText, oneOf, textParameter, withDefault } from '../http/parameters.ts'
import { closedQuery, defaultLimit, limitParameter, type QueryContract } from '../http/query.ts'
import { invalidField } from '../model/api-error.ts'
import { collectionNames } from '../model/collection.ts'
import { isKind } from '../model/properties/schema.ts'
import { type FeedPosition, formatFeedCursor, parseFeedCursor } from '../store/cursors.ts'
import { type FeedChange, readChanges, readLatestChange } from '../store/read/changes.ts'
import type { FindRecordType } from '../store/read/list-selection.ts'
import type { Found, Known, Unchanged } from '../store/state.ts'
import type { Store } from '../store/store.ts'
import { collections } from './collections.ts'
import { respondConditionally } from './routes/conditional.ts'

const query = closedQuery({
  $after: textParameter({
    description:
      'The `next` of the previous response, or `latest` for a cursor for now. Without it, the feed starts with every record.',
    example: 'latest',
  }),
  collections: convertedText(
    parseCollections,
    `must be names separated by commas, from: ${collectionNames.join(', ')}.`,
    {
      description:
        'The collections to follow, separated by commas; all by default. Send the same ones with every cursor.',
      example: 'members,bookings',
    },
  ),
  limit: withDefault(limitParameter('The maximum number of changes to return.', 100), defaultLimit),
  $include: oneOf(
    ['records'],
    {
      description:
        '`records` adds each record that still exists to its change, as its single `GET` returns it.',
      example: 'records',
    },
    'must be records.',
  ),
})

function parseCollections(text: string): string[] | undefined {
  const names = [...new Set(text.split(','))]
  return names.every((name) => collectionNames.includes(name)) ? names : undefined
}

type Query = typeof query extends QueryContract<infer Value> ? Value : never

const listChanges = route(
  {
    operationId: 'listChanges',
    summary: 'Follow changes',
    description:
      'Returns created, updated and deleted records in order of version: each record once, with its last change. Start without `$after` and with an empty copy, apply each change by collection and id, and send `next` as `$after` in the next request: at once while `more` is true, later to stay up to date. A page can be empty although `more` is true. After 410, start again.',
    isAddition: true,
    isConditional: true,
    query,
    responses: async () => (await import('./change-responses.ts')).changeResponses,
  },
  (c) =>
    respondConditionally(c, 'application/json', async (known) => {
      const page = await readChangesPage(c.var.store, c.req.valid('query'), known)
      return page.unchanged ? page : { ...jsonContent(page.properties), state: page.state }
    }),
)

/** A page of the change feed as the properties of a response. Throws 400 for a foreign cursor, 410 for an old one. */
export async function readChangesPage<U extends Unchanged = never>(
  store: Store,
  { $after, collections, limit, $include }: Query,
  known?: Known<U>,
): Promise<Found<{ properties: JsonProperties }> | NoInfer<U>> {
  if ($after === 'latest') {
    const latest = await readLatestChange(store, known)
    if (latest.unchanged) return latest
    const next = JSON.stringify(await formatFeedCursor(store, latest.cursor))
    return { properties: { changes: [], next, more: 'false' }, state: latest.state }
  }
  const cursor = $after === undefined ? undefined : await requireCursor(store, $after)
  const query = { cursor, collections, limit, records: $include === 'records' }
  const page = await readChanges(store, query, findRecordType, known)
  if (page.unchanged) return page
  const properties = {
    changes: page.changes.map((change) => serialiseChange(change, page.schemas)),
    next: JSON.stringify(await formatFeedCursor(store, page.cursor)),
    more: String(page.more),
  }
  return { properties, state: page.state }
}

async function requireCursor(store: Store, text: string): Promise<FeedPosition> {
  const position = await parseFeedCursor(store, text)
  if (position) return position
  throw invalidField(
    '$after',
    'invalid_format',
    'must be latest, or the next of an answer to this organisation.',
  )
}

const findRecordType: FindRecordType = async (name) =>
  (await collections[name]?.())?.collection.record

function serialiseChange(
  { document, member, ...change }: FeedChange,
  schemas: ReadonlyMap<string, string | undefined>,
): string {
  const text = JSON.stringify(change)
  if (document === undefined) return text
  const record = serialiseRecord(change, document, member, schemas)
  return `${text.slice(0, -1)},"record":${record}}`
}

/** Serialises a record as its single `GET` returns it. */
function serialiseRecord(
  { collection, id }: Pick<FeedChange, 'collection' | 'id'>,
  document: string,
  member: string | undefined,
  schemas: ReadonlyMap<string, string | undefined>,
): string {
  if (isKind(collection)) {
    const fields = serialiseFields(getLayout(schemas.get(collection)), document, true)
    return `{${serialisePerson(collection, id, fields)}}`
  }
  if (collection !== 'bookings') return document
  const memberId = String(JSON.parse(document).memberId)
  return addProfile({ document, memberId, member }, buildProfileLayout(schemas.get('members')))
}

export const routes = new Hono<Env>().get('/', listChanges)
