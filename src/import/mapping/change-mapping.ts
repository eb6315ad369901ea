import { FieldDefinition } from '../../model/properties/field-type.ts'
import { mappedCellFor } from '../../model/properties/field-types.ts'
import type { Field } from '../../model/properties/schema.ts'
import type { DateOrder } from '../parse/dates.ts'
import { chooseParsing } from './choose-parsing.ts'
import { ColumnFacts } from './column-facts.ts'
import type { Inspection } from './inspect-file.ts'
import type { Lookup, MappedColumn, Mapping } from './mapping.ts'
import type { TargetField } from './target-fields.ts'

/** The target of a column: none, an existing field, or a new field. */
export type ColumnTarget = 'nowhere' | { path: string; by?: Lookup } | { field: Field }

/** A mapping's entries for a heading, except the one for the record's id. */
export const mappedColumnsFor = (
  { columns }: Mapping,
  heading: string,
  targetFields: readonly TargetField[],
): MappedColumn[] =>
  columns.filter(
    (column) =>
      column.heading === heading &&
      !targetFields.some(({ isId, path }) => isId && path === column.field),
  )

/** The target of a column in a mapping: the first one if there are several. */
export function currentTarget(
  mapping: Mapping,
  heading: string,
  targetFields: readonly TargetField[],
): ColumnTarget {
  const [{ field: path = null, by } = {}] = mappedColumnsFor(mapping, heading, targetFields)
  if (path === null) return 'nowhere'
  const newField = mapping.fields.find(({ id }) => id === path)
  const field =
    newField && FieldDefinition.safeParse({ name: path, label: path, order: 0, ...newField })
  return field?.success ? { field: field.data } : { path, ...(by && { by }) }
}

/** A mapping with new targets for some columns, and with parsers that fit these targets. Other columns do not change. */
export function changeMapping(
  mapping: Mapping,
  { tableFacts, targetFields }: Pick<Inspection, 'tableFacts' | 'targetFields'>,
  targets: ReadonlyMap<string, ColumnTarget>,
  order?: DateOrder,
): Mapping {
  let columns = mapping.columns
  const fields = new Map(mapping.fields.map((field) => [field.id, field]))
  for (const [heading, target] of targets) {
    const facts = tableFacts.columns.get(heading) ?? new ColumnFacts()
    const current = mappedColumnsFor(mapping, heading, targetFields)
    const [primary] = current
    const mappedColumn = mapToTarget(heading, target, targetFields)
    const { decisions: _, ...reading } = chooseParsing(mappedColumn.as, facts, {
      chosenOrder: order,
    })
    const column: MappedColumn = { ...mappedColumn, ...reading }
    if (typeof target === 'object' && 'field' in target) {
      const { order: _, ...field } = target.field
      fields.set(field.id, field)
    }
    const isSameTarget = primary?.field === column.field && primary.by === column.by
    if (isSameTarget && primary.as === column.as) continue
    // A column with an unchanged first target keeps its other targets.
    const replaced = isSameTarget ? [primary] : current
    const otherColumns = columns.filter((other) => !replaced.includes(other))
    columns = otherColumns.toSpliced(
      primary ? columns.indexOf(primary) : otherColumns.length,
      0,
      column,
    )
  }
  const used = new Set(columns.map(({ field }) => field))
  return { ...mapping, columns, fields: [...fields.values()].filter(({ id }) => used.has(id)) }
}

function mapToTarget(
  heading: string,
  target: ColumnTarget,
  targetFields: readonly TargetField[],
): MappedColumn {
  if (target === 'nowhere') return { heading, field: null, as: 'text' }
  if ('field' in target)
    return { heading, field: target.field.id, as: mappedCellFor(target.field.type) }
  const { path, by } = target
  const targetField = targetFields.find((candidate) => candidate.path === path)
  return { heading, field: path, as: targetField?.as ?? 'text', ...(by && { by }) }
}
