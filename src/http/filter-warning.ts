import { editDistance } from '../model/edit-distance.ts'
import type { Filter } from '../model/filter.ts'
import { isInternalKey } from '../model/internal-keys.ts'

const maxComparedLength = 64

/**
 * A `Warning` header for a list that is filtered by a name that is no field, which finds nothing
 * (additions 6): it names the nearest of the `fields` as a query would. Nothing when all are fields.
 */
export function buildFilterWarning(
  filters: readonly Filter[],
  fields: ReadonlySet<string>,
): { Warning?: string } {
  const unknown = filters.find(({ field }) => !fields.has(field) && !isInternalKey(field))
  if (!unknown) return {}
  const name = findNearest(unknown.field, fields).replaceAll(/\p{Surrogate}/gu, '\ufffd')
  const suggestion = name && `; the nearest is ${encodeURIComponent(name)}`
  return { Warning: `299 - "A filter is on no field, so it finds nothing${suggestion}."` }
}

function findNearest(name: string, fields: ReadonlySet<string>): string {
  const target = toComparable(name)
  let best = { field: '', distance: Number.POSITIVE_INFINITY }
  for (const field of fields) {
    const distance = editDistance(target, toComparable(field))
    if (distance < best.distance) best = { field, distance }
  }
  return best.field
}

// Whoever asks may not decide how long this takes.
const toComparable = (name: string) => name.toLowerCase().slice(0, maxComparedLength)
