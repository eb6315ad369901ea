import { findStringEnd } from '../model/json.ts'

/**
 * Returns the values of a JSON object as JSON texts, each at the index of its key. Slicing takes
 * two thirds of the time of parsing and serialising.
 */
export function extractValues(object: string, indexByKey: ReadonlyMap<string, number>): string[] {
  return (
    extractCompact(object, indexByKey) ??
    extractCompact(JSON.stringify(JSON.parse(object)), indexByKey) ??
    []
  )
}

const space = 0x20

/** Extracts the values of compact JSON. Returns undefined if the object contains white space. */
function extractCompact(
  object: string,
  indexByKey: ReadonlyMap<string, number>,
): string[] | undefined {
  if (!object.endsWith('}')) return undefined
  const texts: string[] = []
  let position = 1
  while (object[position] === '"') {
    const colon = findStringEnd(object, position)
    if (object[colon] !== ':' || object.charCodeAt(colon + 1) <= space) return undefined
    const end = findValueEnd(object, colon + 1)
    const index = findIndex(object.slice(position, colon), indexByKey)
    if (index !== undefined) texts[index] = object.slice(colon + 1, end)
    position = end + 1
  }
  return position === object.length ? texts : undefined
}

// The key may contain escapes that JSON.stringify does not write.
const findIndex = (key: string, indexByKey: ReadonlyMap<string, number>) =>
  indexByKey.get(key) ??
  (key.includes('\\') ? indexByKey.get(JSON.stringify(JSON.parse(key))) : undefined)

function findValueEnd(json: string, start: number): number {
  const first = json[start]
  if (first === '"') return findStringEnd(json, start)
  if (first === '[' || first === '{') return findNestedEnd(json, start)
  const comma = json.indexOf(',', start)
  return comma < 0 ? json.length - 1 : comma
}

function findNestedEnd(json: string, start: number): number {
  let depth = 0
  let position = start
  do {
    const character = json[position]
    if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    position = character === '"' ? findStringEnd(json, position) : position + 1
  } while (depth > 0 && position < json.length)
  return position
}
