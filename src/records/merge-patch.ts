import { isObject, isSameJson } from '../model/json.ts'
import type { IndexedValue } from '../store/write/write.ts'

const maxDepth = 100

/**
 * Applies a JSON Merge Patch (RFC 7396). Below the maximum depth of a record, replaces values
 * without merging.
 */
export function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch) || depth > maxDepth) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value, depth + 1))
  }
  // Assigning to an object would fail for the name __proto__.
  return Object.fromEntries(merged)
}

/** A value that a patch sets, and the top-level property that contains it. */
type PatchedValue = IndexedValue & { property: string }

type JsonObject = Record<string, unknown>

/**
 * The values that a JSON Merge Patch sets, with their JSON paths: for `{ bookingDetails: { price: 4 } }`, the value 4 at
 * `$."bookingDetails"."price"`. Includes values that the record has already, because another request may change
 * them at the same time. Returns undefined if the patch adds or removes a property, or if `after` differs from
 * `before` elsewhere too.
 */
export function patchedValues(
  before: JsonObject,
  after: JsonObject,
  patch: JsonObject,
  path = '$',
  property?: string,
): PatchedValue[] | undefined {
  const names = Object.keys(after)
  const hasSameNames =
    names.length === Object.keys(before).length &&
    names.every((name) => Object.hasOwn(before, name) && !/["\\]/.test(name)) &&
    Object.keys(patch).every((name) => Object.hasOwn(after, name))
  if (!hasSameNames) return undefined
  const values = names.map((name) => {
    const old = before[name]
    const value = after[name]
    if (!Object.hasOwn(patch, name)) return isSameJson(old, value) ? [] : undefined
    const valuePath = `${path}."${name}"`
    const topProperty = property ?? name
    const patched = patch[name]
    if (!isObject(patched))
      return [{ path: valuePath, value: JSON.stringify(value), property: topProperty }]
    return isObject(old) && isObject(value)
      ? patchedValues(old, value, patched, valuePath, topProperty)
      : undefined
  })
  return values.every((them) => them !== undefined) ? values.flat() : undefined
}
