import { visibleReferences } from '../../access/query-fields.ts'
import type { ListPage } from '../../formats/list-page.ts'
import { requireSelectable, selectProperties } from '../../formats/select.ts'
import { invalidField } from '../../model/api-error.ts'
import type { Collection } from '../../model/collection.ts'
import { valueAt } from '../../model/json.ts'
import type { NamedReference } from '../../model/references.ts'
import type { FindRecordType } from '../../store/read/list-selection.ts'
import { OutdatedAccessError } from '../../store/state.ts'
import type { Store } from '../../store/store.ts'
import { type ListQuery, type ListSource, readCountedPage } from './list-source.ts'

/** The lists of the collections that records refer to, loaded on first use. People have no collection. */
export type ReferencedLists = Readonly<
  Record<string, () => Promise<{ list: ListSource; collection?: Collection }>>
>

/** A function that finds the types of referenced records. */
export const recordTypesOf =
  (lists: ReferencedLists): FindRecordType =>
  async (name) =>
    (await lists[name]?.())?.collection?.record

/** The parts of a structured collection that decide which names a query may use. */
type ShapedCollection = Pick<Collection, 'name' | 'id' | 'record' | 'item'>

/**
 * Applies `$select` and `$expand` to a page of structured records. Throws 400 for a name that is
 * not visible. Call it after a read, which confirms the access policy.
 */
export async function shapePage(
  store: Store,
  page: ListPage,
  { $select, $expand }: Pick<ListQuery, '$select' | '$expand'>,
  collection: ShapedCollection,
  lists: ReferencedLists,
): Promise<ListPage> {
  if ($select) {
    const { name, record, item = record } = collection
    requireSelectable($select, store.policy.visibleProperties(name, item))
  }
  const expanded = $expand ? await expandPage(store, page, $expand, collection, lists) : page
  return $select ? selectProperties(expanded, $select, collection.id) : expanded
}

/** Adds the records that a page refers to as `$` properties, redacted as in their own list; null if one does not exist. */
async function expandPage(
  store: Store,
  page: ListPage,
  expand: readonly string[],
  { name, record }: ShapedCollection,
  lists: ReferencedLists,
): Promise<ListPage> {
  const { policy } = store
  const visible = visibleReferences(policy, name, record)
  const references = new Set(expand.map((wanted) => requireReference(wanted, visible)))
  let expanded = page
  for (const reference of references) {
    const list = (await lists[reference.to]?.())?.list
    if (list) expanded = await expandReference(store, expanded, reference, list)
  }
  // The columns of a download are those of its first page.
  if (store.policy !== policy) throw new OutdatedAccessError()
  return expanded
}

function requireReference(wanted: string, visible: readonly NamedReference[]): NamedReference {
  const reference = visible.find(({ name }) => name === wanted)
  if (reference) return reference
  const names = visible.map(({ name }) => name)
  const advice = names.length > 0 ? ` Choose from: ${names.join(', ')}.` : ''
  const message = `There is no reference "${wanted.slice(0, 256)}".${advice}`
  throw invalidField('$expand', 'unknown_field', message)
}

async function expandReference(
  store: Store,
  page: ListPage,
  { name, path }: NamedReference,
  list: ListSource,
): Promise<ListPage> {
  const property = `$${name}`
  const documents = page.documents()
  const ids = documents.map((text) => String(valueAt(JSON.parse(text), path.split('.')) ?? ''))
  const distinct = [...new Set(ids)].filter((id) => id !== '')
  const related = await readCountedPage(store, list, {
    limit: distinct.length,
    offset: 0,
    filters: [],
    ids: distinct,
  })
  const relatedDocuments = related.documents()
  const indexById = new Map(
    relatedDocuments.map((text, index) => [String(JSON.parse(text)[list.id]), index]),
  )
  // Appends the related record to the JSON text of each record: `{"eventId":"e-1"}` becomes `{"eventId":"e-1","$event":{…}}`.
  const addTo = (texts: readonly string[], relatedTexts: readonly string[]) =>
    texts.map((text, index) => {
      const value = relatedTexts[indexById.get(ids[index] ?? '') ?? -1] ?? 'null'
      return `${text.slice(0, -1)},${JSON.stringify(property)}:${value}}`
    })
  return {
    ...page,
    items: () => addTo(page.items(), related.items()),
    documents: () => addTo(documents, relatedDocuments),
    columns: () => [
      ...page.columns(),
      ...related.columns().map((column) => ({
        ...column,
        path: [property, ...column.path],
        name: `${property}.${column.name}`,
        ...(column.label !== undefined && { label: `${property}.${column.label}` }),
      })),
    ],
  }
}
