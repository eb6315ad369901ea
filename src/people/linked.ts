import type { Collection } from '../model/collection.ts'
import { namesOthers, type Reference, references } from '../model/references.ts'
import type { Kind } from '../model/schema.ts'
import { words } from '../model/words.ts'
import type { Pull } from '../store/pull.ts'
import type { Reader } from '../store/reader.ts'

/** What names a person, as far as a credential sees it. */
export type LinkedTo = {
  linked: Linked[]
  /** The collections of which it sees nothing. */
  hidden: Collection[]
  /** The ids of those that are of others too, of what has been read so far. */
  shared: { collection: string; id: string }[]
  /** What is kept from the credential, in sentences; nothing for one without limits. */
  withheld: string[]
}

/** The records of a collection that name a person, as JSON texts in pages of one or more, without the others they name. */
export type Linked = { collection: Collection; pages(): AsyncGenerator<string[]> }

/** The collections whose records may name one of a kind of people. */
export const linking = (kind: Kind, collections: readonly Collection[]) =>
  collections.filter(({ name }) => referenceFrom(name, kind))

/** What of these collections names a person. */
export function linkedTo(
  store: Reader,
  kind: Kind,
  id: string,
  collections: readonly Collection[],
): LinkedTo {
  const { view } = store
  const shared: LinkedTo['shared'] = []
  const linked: Linked[] = []
  const hidden: Collection[] = []
  for (const collection of linking(kind, collections)) {
    const { name, record } = collection
    const reference = referenceFrom(name, kind)
    // Of records that do not show whom they name, nobody can tell whose they are.
    const isSeen =
      reference && view.sees(name) && view.fields(name, record, new Set([reference.path])).size > 0
    if (isSeen)
      linked.push({ collection, pages: () => pagesOf(store, reference, id, collection, shared) })
    else hidden.push(collection)
  }
  const withheld = [
    ...hidden.map(({ name }) => `What there may be of ${words(name)}`),
    ...(view.hidesNotes ? ['Private case notes'] : []),
    ...(view.limits.without ? ['Some fields'] : []),
  ].map((what) => `${what}: kept from these credentials.`)
  return { linked, hidden, shared, withheld }
}

async function* pagesOf(
  store: Reader,
  reference: Reference,
  id: string,
  collection: Collection,
  shared: LinkedTo['shared'],
): AsyncGenerator<string[]> {
  const { record: item } = collection
  const filters = [{ field: reference.path, values: [id] }]
  const all = { limit: Number.MAX_SAFE_INTEGER, offset: 0, filters }
  let pull: Pull | undefined = 'first'
  while (pull) {
    const { documents, next } = await store.page({ ...collection, item }, { ...all, pull })
    store.given(collection.name, documents.length)
    const shown = documents.map((document) => {
      const record: Record<string, unknown> = JSON.parse(document)
      const own = withoutOthers(record, reference, id)
      if (own === record) return document
      shared.push({ collection: collection.name, id: String(record[collection.id]) })
      return JSON.stringify(own)
    })
    // A page may be empty and others follow, such as one that begins with a long record.
    if (shown.length > 0) yield shown
    pull = next
  }
}

/** A record without the other people in the lists it names this one in; the same where there are none. */
function withoutOthers(
  record: Record<string, unknown>,
  reference: Reference,
  id: string,
): Record<string, unknown> {
  if (!namesOthers(reference, record, id)) return record
  const [lists = '', own] = reference.path.split('.')
  const entries = Object.entries(record[lists] as Record<string, string[]>)
  const left = entries.map(([list, ids]) => [
    list,
    list === own ? ids.filter((it) => it === id) : [],
  ])
  return { ...record, [lists]: Object.fromEntries(left) }
}

const referenceFrom = (from: string, kind: Kind) =>
  references.find((reference) => reference.from === from && reference.to === kind)
