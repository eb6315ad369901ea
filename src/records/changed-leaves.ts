import { sameJson } from '../model/same-json.ts'
import type { Leaf } from '../store/write.ts'
import { isObject } from './rules.ts'

/** What differs between two records, value by value with their JSON paths; undefined where they have not the same properties. */
export function changedLeaves(before: unknown, after: unknown, path = '$'): Leaf[] | undefined {
  if (!isObject(before) || !isObject(after))
    return sameJson(before, after) ? [] : [{ path, value: JSON.stringify(after) }]
  const names = Object.keys(after)
  const areSame =
    names.length === Object.keys(before).length &&
    names.every((name) => Object.hasOwn(before, name) && !name.includes('"'))
  if (!areSame) return undefined
  const found = names.map((name) => changedLeaves(before[name], after[name], `${path}."${name}"`))
  return found.every((leaves) => leaves !== undefined) ? found.flat() : undefined
}
