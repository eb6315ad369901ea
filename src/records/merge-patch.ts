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
type PatchedLeaf = IndexedValue & { property: string }

type JsonObject = Record<string, unknown>

/**
 * Every value that a JSON Merge Patch sets, with its JSON path. Includes unchanged values,
 * because another request may change them; returns undefined if the patch affects other properties.
 */
export function patchedLeaves(
  before: JsonObject,
  after: JsonObject,
  patch: JsonObject,
  path = '$',
  property?: string,
): PatchedLeaf[] | undefined {
  const names = Object.keys(after)
  const hasSameNames =
    names.length === Object.keys(before).length &&
    names.every((name) => Object.hasOwn(before, name) && !/["\\]/.test(name)) &&
    Object.keys(patch).every((name) => Object.hasOwn(after, name))
  if (!hasSameNames) return undefined
  const leaves = names.map((name) => {
    const [old, value] = [before[name], after[name]]
    if (!Object.hasOwn(patch, name)) return isSameJson(old, value) ? [] : undefined
    const [below, inner] = [`${path}."${name}"`, patch[name]]
    const holder = property ?? name
    if (!isObject(inner)) return [{ path: below, value: JSON.stringify(value), property: holder }]
    return isObject(old) && isObject(value)
      ? patchedLeaves(old, value, inner, below, holder)
      : undefined
  })
  return leaves.every((them) => them !== undefined) ? leaves.flat() : undefined
}
