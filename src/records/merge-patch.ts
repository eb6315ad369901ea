import { isObject } from '../model/json.ts'

const mostDepth = 100

/**
 * Applies a JSON Merge Patch (RFC 7396). Below the greatest depth of a record, the patch replaces
 * the value.
 */
export function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch) || depth > mostDepth) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value, depth + 1))
  }
  // Assigning to an object would fail for the name __proto__.
  return Object.fromEntries(merged)
}
