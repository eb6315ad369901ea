import type { LinkedRecords } from '../../formats/personal-data-types.ts'
import { type Collection, collectionTitle } from '../../model/collection.ts'
import { valueAt } from '../../model/json.ts'
import { toLabel } from '../../model/properties/compile.ts'
import {
  isCleared,
  isOwnRecord,
  type PersonLink,
  personalDataRules,
} from '../../model/properties/personal-data.ts'
import type { Kind } from '../../model/properties/schema.ts'
import { references, refersToOthers } from '../../model/references.ts'
import type { ExportPosition } from '../../store/bitmap/page-query.ts'
import { type RecordsPage, readRecords } from '../../store/read/list.ts'
import type { Store } from '../../store/store.ts'
import { findPersonLinks } from '../../store/write/person-links.ts'

/** The collections with records that can concern people of a kind. */
export const findLinkedCollections = (kind: Kind, collections: readonly Collection[]) =>
  collections.filter(({ name }) => listPaths(kind, name).length > 0)

/** The properties of a collection that find records of people of a kind. */
const listPaths = (kind: Kind, name: string): string[] => {
  const { details = {}, part } = personalDataRules[name] ?? {}
  return [
    ...references.filter(({ from, to }) => from === name && to === kind).map(({ path }) => path),
    ...Object.keys(details),
    ...(part ? [part.path] : []),
  ]
}

/** Finds the records of these collections that refer to a person or have their details. */
export async function findLinkedRecords(
  store: Store,
  kind: Kind,
  id: string,
  collections: readonly Collection[],
): Promise<LinkedRecords> {
  const { policy } = store
  const shared: LinkedRecords['shared'] = []
  const linkedCollections = findLinkedCollections(kind, collections)
  // A credential that cannot see a property must not learn by it that a record is about the person.
  const visible = new Map(
    linkedCollections
      .filter(({ name }) => policy.allowsCollection(name))
      .map(({ name, record }) => {
        const properties = policy.visibleProperties(name, record)
        const owner = personalDataRules[name]?.owner
        // Without the reference, nobody can tell which person the details belong to.
        const paths = owner && !properties.has(owner) ? [] : listPaths(kind, name)
        return [name, new Set(paths.filter((path) => properties.has(path)))]
      }),
  )
  const isVisible = (name: string, path: string) => visible.get(name)?.has(path) ?? false
  const guard = { permissions: ['read'], collection: kind, policy } as const
  const found = await findPersonLinks(store, { kind, id }, guard, isVisible)
  const isHidden = ({ name }: Collection) => !visible.get(name)?.size
  const hiddenCollections = linkedCollections.filter(isHidden)
  const linked = linkedCollections
    .filter((collection) => !isHidden(collection))
    .map((collection) => {
      const links = found.links.filter(
        ({ from, path }) => from === collection.name && isVisible(from, path),
      )
      return { collection, pages: () => readPages(store, collection, links, found.names, shared) }
    })
  const hiddenRecords = linkedCollections.flatMap(({ name }) => policy.hiddenRecords(name))
  const withheld = [
    ...hiddenCollections.map(({ name }) => `What there may be of ${collectionTitle(name)}`),
    ...hiddenRecords.map(({ name }) => toLabel(name)),
    ...(policy.hidesFields ? ['Some fields'] : []),
    ...(policy.isRestricted ? ['What there may be of sign-ups'] : []),
  ].map((part) => `${part}: hidden from these credentials.`)
  return { linked, hiddenCollections, shared, withheld, emails: found.spellings.email }
}

/** Reads the records that the links find, each once. */
async function* readPages(
  store: Store,
  collection: Collection,
  links: readonly PersonLink[],
  names: readonly string[],
  shared: LinkedRecords['shared'],
): AsyncGenerator<string[]> {
  const read = new Set<string>()
  for (const link of links) {
    const filters = [{ field: link.path, values: [link.value] }]
    const query = { limit: Number.MAX_SAFE_INTEGER, offset: 0, filters }
    let position: ExportPosition | undefined = 'first'
    while (position) {
      const { documents, next }: RecordsPage = await readRecords(
        store,
        { ...collection, item: undefined },
        { ...query, exportPosition: position },
      )
      const texts = documents.flatMap((document) => {
        const record: Record<string, unknown> = JSON.parse(document)
        const id = String(record[collection.id])
        const use = classifyRecord(link, record, names)
        if (use === 'none' || read.has(id)) return []
        read.add(id)
        if (use === 'shared') shared.push({ collection: collection.name, id })
        const redacted = removeOtherPeople(record, link)
        return redacted === record ? [document] : [JSON.stringify(redacted)]
      })
      store.countReturned(collection.name, texts.length)
      // An empty page is not always the last, for example if the next record is long.
      if (texts.length > 0) yield texts
      position = next
    }
  }
}

/** Whether a record that a link found is the person's, also concerns others, or belongs to somebody else. */
function classifyRecord(
  link: PersonLink,
  record: Record<string, unknown>,
  names: readonly string[],
): 'own' | 'shared' | 'none' {
  if (link.by === 'reference') return refersToOthers(link, record, link.value) ? 'shared' : 'own'
  const { name, owner } = personalDataRules[link.from] ?? {}
  if (owner && record[owner]) return 'none'
  if (isOwnRecord(link, name && valueAt(record, name.split('.')), names)) return 'own'
  return isCleared(link) ? 'shared' : 'none'
}

/** A record without other people's ids, or the same object if it has none. */
function removeOtherPeople(
  record: Record<string, unknown>,
  link: PersonLink,
): Record<string, unknown> {
  const { othersIds = {}, erasure } = personalDataRules[link.from] ?? {}
  const others = Object.entries(othersIds).filter(
    ([path, ownPath]) => record[path] && (ownPath === null || record[path] !== record[ownPath]),
  )
  const empty = typeof erasure === 'object' ? erasure : {}
  const cleared = Object.fromEntries(others.map(([path]) => [path, empty[path] ?? null]))
  if (others.length > 0) return { ...record, ...cleared }
  if (link.by !== 'reference' || !refersToOthers(link, record, link.value)) return record
  const [property = '', ownList] = link.path.split('.')
  const entries = Object.entries(record[property] as Record<string, string[]>)
  const remaining = entries.map(([list, ids]) => [
    list,
    list === ownList ? ids.filter((listedId) => listedId === link.value) : [],
  ])
  return { ...record, [property]: Object.fromEntries(remaining) }
}
