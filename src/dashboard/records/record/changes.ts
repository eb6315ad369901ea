import type { Context } from 'hono'
import { type Author, describeAuthor } from '../../../model/author.ts'
import { notFound } from '../../../model/collection.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { references } from '../../../model/references.ts'
import { isObjectList } from '../../../model/value-types.ts'
import { compareDocuments, type Difference } from '../../../records/undo/undo-change.ts'
import { redactorOf } from '../../../resources/routes/resource.ts'
import { type RecordChange, readRecordChanges } from '../../../store/history/record-changes.ts'
import type {
  CollectionInfo,
  ShownProperty,
  ShownValues,
} from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { RecordKey } from './titles.ts'

/** The number of changes that a record's own page shows. */
export const maxLatest = 5

/** A change of a record as its history shows it. */
export type ShownChange = {
  version: number
  at: string
  author: string
  /** The id of the import that made the change. */
  importId: number | undefined
  change: RecordChange['change'] | 'restored'
  differences: readonly Difference<ShownProperty>[]
  /** The labels of changed fields without stored or visible values. */
  otherFields: readonly string[]
  merged: { id: string; canBeRestored: boolean } | undefined
  canBeUndone: boolean
}

/**
 * Loads the changes of a record, newest first, with values that the user may see. Throws 404 for an
 * unknown record.
 */
export async function loadChanges(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  id: string,
): Promise<{ current: ShownValues | undefined; changes: ShownChange[]; versionDays: number }> {
  const { name, resource } = collection
  const { store } = c.var
  const { current, changes, versionDays } = await readRecordChanges(store, name, id)
  const { policy } = store
  const documents = changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat())
  const isVisible = documents.every((document) => policy.allowsRecord(name, document))
  if (!isVisible || changes.length === 0) throw notFound(resource)
  const redact = redactorOf(resource, policy)
  const parse = (document: string | undefined): ShownValues | undefined =>
    document === undefined ? undefined : JSON.parse(redact(document))
  return {
    versionDays,
    current: parse(current),
    changes: changes.map((change, index) =>
      toShownChange(collection, change, {
        before: parse(change.before),
        after: parse(change.after),
        // A record is created once more by restoring it.
        isRestored: changes[index + 1]?.change === 'deleted',
        isDeleted: current === undefined,
      }),
    ),
  }
}

type Documents = {
  before: ShownValues | undefined
  after: ShownValues | undefined
  isRestored: boolean
  isDeleted: boolean
}

function toShownChange(
  collection: CollectionInfo,
  { version, at, change, author, key, fields, merged }: RecordChange,
  { before, after, isRestored, isDeleted }: Documents,
): ShownChange {
  const isUpdate = change === 'updated' || change === 'merged'
  const differences =
    isUpdate && before && after ? compareDocuments(collection.properties, before, after) : []
  const shown = new Set(differences.map(({ property }) => property.path[0]))
  const canBeUndone = differences.some(({ property }) => isRestorable(property))
  return {
    version,
    at,
    author: nameAuthor(author, key),
    importId: author?.import,
    differences,
    change: change === 'created' && isRestored ? 'restored' : change,
    otherFields: fields
      .filter((field) => !shown.has(field))
      .map((field) => findFieldLabel(collection, field)),
    merged: merged && {
      id: merged.id,
      canBeRestored: merged.document !== undefined && merged.isLast,
    },
    canBeUndone: change === 'updated' && !isDeleted && canBeUndone,
  }
}

/** The name of an author. Most changes come through the dashboard, so it is not mentioned. */
export function nameAuthor(author: Author | null, key: string | null): string {
  if (author?.through !== 'dashboard') return describeAuthor(author, key)
  const { through: _, ...withoutDashboard } = author
  return describeAuthor(withoutDashboard, key)
}

/** Whether undoing a change sets the property again: the service keeps the others itself. */
export const isRestorable = (property: ShownProperty) =>
  property.isEditable || isObjectList(property)

/** The label of a changed field. A field that the schema no longer has appears with its id. */
function findFieldLabel({ kind, properties }: CollectionInfo, field: string): string {
  const label = properties.find(({ name }) => name === field)?.label
  return label ?? (kind ? field : toLabel(field))
}

/** The records that a history names: people who were merged, and values of references. */
export const listHistoryRecords = (
  { name }: CollectionInfo,
  changes: readonly ShownChange[],
): RecordKey[] =>
  changes.flatMap(({ differences, merged }) => [
    ...(merged ? [{ collection: name, id: merged.id }] : []),
    ...differences.flatMap(({ property, from, to }) => {
      const reference = references.find((it) => it.from === name && it.path === property.name)
      if (!reference) return []
      return [from, to]
        .flat()
        .flatMap((id) => (typeof id === 'string' && id ? [{ collection: reference.to, id }] : []))
    }),
  ])
