import { isObject, isSameJson } from '../model/json.ts'
import type { Leaf } from '../store/write/write.ts'

const maxDepth = 100

/**
 * Applies a JSON Merge Patch (RFC 7396). Below the greatest depth of a record, the patch replaces
 * the value.
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

/** A value that a patch sets, and the record's property that holds it. */
type PatchedLeaf = Leaf & { property: string }

type JsonObject = Record<string, unknown>

/**
 * Returns every value that a JSON Merge Patch names, with its JSON path, also where the record has
 * that value already: another request may change it before the patch is written. Returns undefined
 * where the patch adds, removes or derives properties, which depends on the rest of the record.
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
