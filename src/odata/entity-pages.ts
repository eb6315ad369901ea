import { ApiError } from '../model/api-error.ts'
import type { Position } from '../model/query/query-options.ts'
import { loadCollection } from '../resources/resources.ts'
import { type ListQuery, readCountedPage } from '../resources/routes/list-source.ts'
import type { Store } from '../store/store.ts'
import type { EntitySet } from './entity-sets.ts'
import type { EntityQuery } from './options.ts'

/** The maximum number of entities of a page. */
const maxEntities = 1000

// A page ends after its first part if the whole could exceed a Worker's memory.
const entitiesOfFirstPart = 250
const maxCharacters = 8 * 2 ** 20

/** A page of stored documents as JSON texts, the total if counted, and the position of the next page unless it is the last. */
type DocumentPage = {
  documents: readonly string[]
  total: number | undefined
  next: Position | undefined
}

/** Reads the page of an entity set after a position. */
export async function readPage(
  store: Store,
  set: EntitySet,
  { filter, orderBy, isCounted, top = maxEntities, skip }: EntityQuery,
  after?: Position,
): Promise<DocumentPage> {
  const limit = Math.min(top, maxEntities)
  const first = await readPart(store, set, {
    limit: Math.min(limit, entitiesOfFirstPart),
    offset: skip,
    filters: [],
    options: { filter, orderBy, after, isCounted },
  })
  const { length } = first.documents
  const characters = first.documents.reduce((sum, { length }) => sum + length, 0)
  if (!first.next || length === limit || (characters * limit) / length > maxCharacters) return first
  const rest = await readPart(store, set, {
    limit: limit - length,
    offset: 0,
    filters: [],
    options: { filter, orderBy, after: first.next, isCounted: false },
  })
  return { ...first, documents: [...first.documents, ...rest.documents], next: rest.next }
}

/** Reads the document of an entity. Throws 404 for an unknown id. */
export async function readDocument(store: Store, set: EntitySet, id: string): Promise<string> {
  const filters = [{ field: set.key.field, values: [id] }]
  const { documents } = await readPart(store, set, { limit: 1, offset: 0, filters })
  const [document] = documents
  if (document === undefined) throw new ApiError('NOT_FOUND', `${set.name} has no such entity.`)
  return document
}

async function readPart(
  store: Store,
  { collection }: EntitySet,
  query: ListQuery,
): Promise<DocumentPage> {
  const { list } = await loadCollection(collection)
  const { documents, total, next } = await readCountedPage(store, list, query)
  return {
    documents: documents(),
    total,
    next: next && 'keys' in next ? next : undefined,
  }
}
