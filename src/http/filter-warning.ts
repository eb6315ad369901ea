import { distanceOf } from '../model/distance.ts'
import type { Filter } from '../model/filter.ts'
import { isHidden } from '../model/hidden-keys.ts'

const longest = 64

/**
 * A `Warning` header for a list that is filtered by a name that is no field, which finds nothing
 * (additions 6): it names the nearest of the `fields` as a query would. Nothing when all are fields.
 */
export function filterWarning(
  filters: readonly Filter[],
  fields: ReadonlySet<string>,
): { Warning?: string } {
  const unknown = filters.find(({ field }) => !fields.has(field) && !isHidden(field))
  if (!unknown) return {}
  const name = nearest(unknown.field, fields).replaceAll(/\p{Surrogate}/gu, '\ufffd')
  const told = name && `; the nearest is ${encodeURIComponent(name)}`
  return { Warning: `299 - "A filter is on no field, so it finds nothing${told}."` }
}

function nearest(name: string, fields: ReadonlySet<string>): string {
  const wanted = comparable(name)
  let best = { field: '', distance: Number.POSITIVE_INFINITY }
  for (const field of fields) {
    const distance = distanceOf(wanted, comparable(field))
    if (distance < best.distance) best = { field, distance }
  }
  return best.field
}

// Whoever asks may not decide how long this takes.
const comparable = (name: string) => name.toLowerCase().slice(0, longest)
