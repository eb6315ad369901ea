/**
 * Returns the dotted path of the first property that occurs twice in an object of a valid JSON text.
 * JSON.parse keeps the last value, other parsers the first.
 */
export function findDuplicateName(json: string): string | undefined {
  // For each open level: the names of an object so far, or undefined for a list.
  const openLevels: (Set<string> | undefined)[] = []
  const path: string[] = []
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (character === '{' || character === '[') {
      openLevels.push(character === '{' ? new Set() : undefined)
      path.push('')
    } else if (character === '}' || character === ']') {
      openLevels.pop()
      path.pop()
    } else if (character === '"') {
      const start = index
      index = findStringEnd(json, index)
      const names = openLevels.at(-1)
      if (!names || !isPropertyName(json, index)) continue
      const name: string = JSON.parse(json.slice(start, index + 1))
      path[path.length - 1] = name
      if (names.has(name)) return path.filter((name) => name !== '').join('.')
      names.add(name)
    }
  }
  return undefined
}

/** Returns the index of the closing quotation mark of the string at `start`. */
function findStringEnd(json: string, start: number): number {
  let index = start + 1
  while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1
  return index
}

/** Returns whether a colon follows the string that ends at `end`. */
function isPropertyName(json: string, end: number): boolean {
  let index = end + 1
  while (' \t\r\n'.includes(json[index] ?? '.')) index++
  return json[index] === ':'
}
