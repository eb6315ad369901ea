import { Field } from '../../model/schema.ts'
import type { Order } from '../spellings/dates.ts'
import { ColumnFacts } from './column-facts.ts'
import { readAs } from './infer-type.ts'
import type { MappedColumn, Mapping } from './mapping.ts'
import type { Place } from './places.ts'
import type { Inspected } from './prepare.ts'
import { readingOf } from './reading.ts'
import type { Finding } from './usual-headings.ts'

/** Where a column is to go: nowhere, to a place that is there, or to a field that is made for it. */
export type Goal = 'nowhere' | { path: string; by?: Finding } | { field: Field }

/** The columns of a mapping by which a column of the file goes somewhere, beside the one that makes it the id. */
export const columnsOf = (
  { columns }: Mapping,
  heading: string,
  places: readonly Place[],
): MappedColumn[] =>
  columns.filter(
    (one) =>
      one.heading === heading && !places.some(({ isId, path }) => isId && path === one.field),
  )

/** Where a column goes by a mapping; where it goes to several places, the first of them. */
export function goalOf(mapping: Mapping, heading: string, places: readonly Place[]): Goal {
  const [{ field: path = null, by } = {}] = columnsOf(mapping, heading, places)
  if (path === null) return 'nowhere'
  const added = mapping.fields.find(({ id }) => id === path)
  const field = added && Field.safeParse({ name: path, label: path, order: 0, ...added })
  return field?.success ? { field: field.data } : { path, ...(by && { by }) }
}

/** A mapping with some of a file's columns going elsewhere, each read as what it now is; the others stay as they are. */
export function remapped(
  mapping: Mapping,
  { survey, places }: Pick<Inspected, 'survey' | 'places'>,
  goals: ReadonlyMap<string, Goal>,
  order?: Order,
): Mapping {
  let columns = mapping.columns
  const fields = new Map(mapping.fields.map((field) => [field.id, field]))
  for (const [heading, goal] of goals) {
    const facts = survey.columns.get(heading) ?? new ColumnFacts()
    const own = columnsOf(mapping, heading, places)
    const [primary] = own
    const mapped = mappedTo(heading, goal, places)
    const { decisions: _, ...reading } = readingOf(mapped.as, facts, { said: order })
    const column: MappedColumn = { ...mapped, ...reading }
    if (typeof goal === 'object' && 'field' in goal) {
      const { order: _, ...field } = goal.field
      fields.set(field.id, field)
    }
    const isThere = primary?.field === column.field && primary.by === column.by
    if (isThere && primary.as === column.as) continue
    // Going where it goes already, it still goes to its other places.
    const replaced = isThere ? [primary] : own
    const others = columns.filter((one) => !replaced.includes(one))
    columns = others.toSpliced(primary ? columns.indexOf(primary) : others.length, 0, column)
  }
  const used = new Set(columns.map(({ field }) => field))
  return { ...mapping, columns, fields: [...fields.values()].filter(({ id }) => used.has(id)) }
}

function mappedTo(heading: string, goal: Goal, places: readonly Place[]): MappedColumn {
  if (goal === 'nowhere') return { heading, field: null, as: 'text' }
  if ('field' in goal) return { heading, field: goal.field.id, as: readAs(goal.field) }
  const { path, by } = goal
  const place = places.find((one) => one.path === path)
  return { heading, field: path, as: place?.as ?? 'text', ...(by && { by }) }
}
