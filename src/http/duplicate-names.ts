import { findStringEnd } from '../model/json.ts'

/**
 * The dotted path of the first property that occurs twice in an object of a JSON text.
 * Parsers disagree: JSON.parse returns the last value, others the first.
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
      const end = findStringEnd(json, index)
      const text = json.slice(index, end)
      index = end - 1
      const names = openLevels.at(-1)
      if (!names || !isPropertyName(json, end)) continue
      const name: string = JSON.parse(text)
      path[path.length - 1] = name
      if (names.has(name)) return path.filter((name) => name !== '').join('.')
      names.add(name)
    }
  }
  return undefined
}

/** Whether a colon follows the string that ends before `end`. */
function isPropertyName(json: string, end: number): boolean {
  let index = end
  while (' \t\r\n'.includes(json[index] ?? '.')) index++
  return json[index] === ':'
}
