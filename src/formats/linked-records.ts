import { type Collection, collectionTitle } from '../model/collection.ts'
import type { Kind } from '../model/properties/schema.ts'
import { hasReferences, type Reference, references } from '../model/references.ts'
import type { ExportPosition } from '../store/bitmap/page-query.ts'
import { readRecords } from '../store/read/list.ts'
import type { Store } from '../store/store.ts'

/** What names a person, as far as a credential sees it. */
export type LinkedRecords = {
  linked: LinkedCollection[]
  /** The collections of which it sees nothing. */
  hiddenCollections: Collection[]
  /** The ids of those that are of others too, of what has been read so far. */
  shared: { collection: string; id: string }[]
  /** What is kept from the credential, in sentences; nothing for one without limits. */
  withheld: string[]
}

/** The records of a collection that name a person, as JSON texts in pages of one or more, without the others they name. */
export type LinkedCollection = { collection: Collection; pages(): AsyncGenerator<string[]> }

/** The collections whose records may name one of a kind of people. */
export const findLinkedCollections = (kind: Kind, collections: readonly Collection[]) =>
  collections.filter(({ name }) => findReference(name, kind))

/** What of these collections names a person. */
export function findLinkedRecords(
  store: Store,
  kind: Kind,
  id: string,
  collections: readonly Collection[],
): LinkedRecords {
  const { policy } = store
  const shared: LinkedRecords['shared'] = []
  const linked: LinkedCollection[] = []
  const hiddenCollections: Collection[] = []
  for (const collection of findLinkedCollections(kind, collections)) {
    const { name, record } = collection
    const reference = findReference(name, kind)
    // Of records that do not show whom they name, nobody can tell whose they are.
    const isVisible =
      reference &&
      policy.allowsCollection(name) &&
      policy.visibleProperties(name, record).has(reference.path)
    if (isVisible)
      linked.push({ collection, pages: () => readPages(store, reference, id, collection, shared) })
    else hiddenCollections.push(collection)
  }
  const withheld = [
    ...hiddenCollections.map(({ name }) => `What there may be of ${collectionTitle(name)}`),
    ...(policy.hidesNotes ? ['Private case notes'] : []),
    ...(policy.restrictions.without ? ['Some fields'] : []),
  ].map((part) => `${part}: hidden from these credentials.`)
  return { linked, hiddenCollections, shared, withheld }
}

async function* readPages(
  store: Store,
  reference: Reference,
  id: string,
  collection: Collection,
  shared: LinkedRecords['shared'],
): AsyncGenerator<string[]> {
  const { record: item } = collection
  const filters = [{ field: reference.path, values: [id] }]
  const query = { limit: Number.MAX_SAFE_INTEGER, offset: 0, filters }
  let pull: ExportPosition | undefined = 'first'
  while (pull) {
    const { documents, next } = await readRecords(
      store,
      { ...collection, item },
      { ...query, pull },
    )
    store.countReturned(collection.name, documents.length)
    const texts = documents.map((document) => {
      const record: Record<string, unknown> = JSON.parse(document)
      const redacted = removeOtherPeople(record, reference, id)
      if (redacted === record) return document
      shared.push({ collection: collection.name, id: String(record[collection.id]) })
      return JSON.stringify(redacted)
    })
    // A page may be empty and others follow, such as one that begins with a long record.
    if (texts.length > 0) yield texts
    pull = next
  }
}

/** A record without the other people in the lists it names this one in; the same where there are none. */
function removeOtherPeople(
  record: Record<string, unknown>,
  reference: Reference,
  id: string,
): Record<string, unknown> {
  if (!hasReferences(reference, record, id)) return record
  const [property = '', ownList] = reference.path.split('.')
  const entries = Object.entries(record[property] as Record<string, string[]>)
  const remaining = entries.map(([list, ids]) => [
    list,
    list === ownList ? ids.filter((listedId) => listedId === id) : [],
  ])
  return { ...record, [property]: Object.fromEntries(remaining) }
}

const findReference = (from: string, kind: Kind) =>
  references.find((reference) => reference.from === from && reference.to === kind)
