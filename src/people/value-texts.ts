/**
 * The values in the text of a JSON object, as the texts they are there, each at the place its key
 * has in `places`. Cutting them out takes some two thirds of the time of parsing them and writing
 * them anew.
 */
export function valueTexts(object: string, places: ReadonlyMap<string, number>): string[] {
  return cut(object, places) ?? cut(JSON.stringify(JSON.parse(object)), places) ?? []
}

const space = 0x20

/** Undefined where the object is not written as JSON.stringify writes one, without white space. */
function cut(object: string, places: ReadonlyMap<string, number>): string[] | undefined {
  if (!object.endsWith('}')) return undefined
  const texts: string[] = []
  let at = 1
  while (object[at] === '"') {
    const colon = endOfString(object, at)
    if (object[colon] !== ':' || object.charCodeAt(colon + 1) <= space) return undefined
    const end = endOfValue(object, colon + 1)
    const place = placeOf(object.slice(at, colon), places)
    if (place !== undefined) texts[place] = object.slice(colon + 1, end)
    at = end + 1
  }
  return at === object.length ? texts : undefined
}

// A character of the key may be written as an escape that JSON.stringify would not have chosen.
const placeOf = (key: string, places: ReadonlyMap<string, number>) =>
  places.get(key) ?? (key.includes('\\') ? places.get(JSON.stringify(JSON.parse(key))) : undefined)

function endOfValue(json: string, start: number): number {
  const first = json[start]
  if (first === '"') return endOfString(json, start)
  if (first === '[' || first === '{') return endOfNested(json, start)
  const comma = json.indexOf(',', start)
  return comma < 0 ? json.length - 1 : comma
}

function endOfNested(json: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const character = json[at]
    if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    at = character === '"' ? endOfString(json, at) : at + 1
  } while (depth > 0 && at < json.length)
  return at
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end + 1
}

function isEscaped(json: string, at: number): boolean {
  let first = at
  while (json[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}
