import { type Collection, collectionTitle } from '../model/collection.ts'
import type { Kind } from '../model/properties/schema.ts'
import { hasReferences, type Reference, references } from '../model/references.ts'
import type { ExportPosition } from '../store/bitmap/page-query.ts'
import { readRecords } from '../store/read/list.ts'
import type { PersonSignUp } from '../store/sign-up/person-sign-ups.ts'
import type { Store } from '../store/store.ts'
import type { PersonLayout } from './person-layout.ts'

/** The visible records that refer to a person. */
type LinkedRecords = {
  linked: LinkedCollection[]
  /** The collections that are hidden from the credential. */
  hiddenCollections: Collection[]
  /** The records that also concern other people; reading `linked` fills the list. */
  shared: { collection: string; id: string }[]
  /** Sentences about the hidden data; empty without restrictions. */
  withheld: string[]
}

/** The records of a collection that refer to a person, as pages of JSON texts without other people's ids. */
type LinkedCollection = { collection: Collection; pages(): AsyncGenerator<string[]> }

/** Returns the collections that can refer to people of a kind. */
export const findLinkedCollections = (kind: Kind, collections: readonly Collection[]) =>
  collections.filter(({ name }) => findReference(name, kind))

/** Finds the records of these collections that refer to a person. */
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
    // A credential that cannot see the reference must not learn that a record is about the person.
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
    ...(policy.restrictions.hideFields ? ['Some fields'] : []),
    ...(kind === 'members' && policy.isRestricted ? ['What there may be of sign-ups'] : []),
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
  const filters = [{ field: reference.path, values: [id] }]
  const query = { limit: Number.MAX_SAFE_INTEGER, offset: 0, filters }
  let pull: ExportPosition | undefined = 'first'
  while (pull) {
    const { documents, next } = await readRecords(
      store,
      { ...collection, item: undefined },
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
    // An empty page is not always the last, for example if the next record is long.
    if (texts.length > 0) yield texts
    pull = next
  }
}

/** Returns a record without other people's ids, or the same object if it has none. */
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

/** A previous version of a person: when it was replaced, its stored document, and as the single `GET` shows it, all as JSON texts. */
type PersonVersion = { replacedAt: string; document: string; text: string }

/** The data about a person that the credential may see (additions 5). */
export type PersonalData = LinkedRecords & {
  kind: Kind
  id: string
  organisation: string
  /** The time of the export. */
  at: string
  /** The stored record as JSON text, and the layout of its fields. */
  document: string
  layout: PersonLayout
  /** The properties of the single `GET` response, as JSON texts. */
  properties: Record<string, string>
  /** The previous versions of the record, newest first. */
  previousVersions: readonly PersonVersion[]
  /** Reads the sign-ups behind the person's bookings; undefined for people who are not members. */
  readSignUps: (() => Promise<PersonSignUp[]>) | undefined
  /** The values of fields that are no longer in the schema. */
  otherValues: Record<string, unknown>
}
