import { isObject } from '../model/is-object.ts'
import { sameJson } from '../model/same-json.ts'
import type { Leaf } from '../store/write.ts'

/** A value that differs, and the record's property it is in. */
type Changed = Leaf & { name: string }

/** What differs between two records, value by value with their JSON paths; undefined where they have not the same properties. */
export function changedLeaves(
  before: unknown,
  after: unknown,
  path = '$',
  property?: string,
): Changed[] | undefined {
  if (!isObject(before) || !isObject(after)) {
    const value = JSON.stringify(after)
    return sameJson(before, after) ? [] : [{ path, value, name: property ?? '' }]
  }
  const names = Object.keys(after)
  const areSame =
    names.length === Object.keys(before).length &&
    names.every((name) => Object.hasOwn(before, name) && !/["\\]/.test(name))
  if (!areSame) return undefined
  const found = names.map((name) =>
    changedLeaves(before[name], after[name], `${path}."${name}"`, property ?? name),
  )
  return found.every((leaves) => leaves !== undefined) ? found.flat() : undefined
}
