import { isObject } from '../model/is-object.ts'

const mostDepth = 100

/** What a JSON Merge Patch makes of a value (RFC 7396); a patch that goes deeper than any record may takes the place of what is there. */
export function mergePatch(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch) || depth > mostDepth) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value, depth + 1))
  }
  // Not an assignment to an object: a name may be __proto__.
  return Object.fromEntries(merged)
}
