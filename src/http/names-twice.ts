/**
 * The dotted path of a name that an object in a JSON text gives twice; undefined where none does.
 * JSON.parse would take the last, other readers the first. The text must be valid JSON.
 */
export function nameGivenTwice(json: string): string | undefined {
  // What is open at each level: the names of an object so far, or undefined for a list.
  const open: (Set<string> | undefined)[] = []
  const path: string[] = []
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined)
      path.push('')
    } else if (character === '}' || character === ']') {
      open.pop()
      path.pop()
    } else if (character === '"') {
      const start = at
      at = endOfString(json, at)
      const names = open.at(-1)
      if (!names || !isName(json, at)) continue
      const name: string = JSON.parse(json.slice(start, at + 1))
      path[path.length - 1] = name
      if (names.has(name)) return path.filter((name) => name !== '').join('.')
      names.add(name)
    }
  }
  return undefined
}

/** The place of the quotation mark that ends the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

/** Whether a string that ends at `end` is followed by a colon. */
function isName(json: string, end: number): boolean {
  let at = end + 1
  while (' \t\r\n'.includes(json[at] ?? '.')) at++
  return json[at] === ':'
}
