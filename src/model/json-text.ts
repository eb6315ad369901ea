/**
 * The value a JSON text spells. V8 misreads a key that is written with an escape: where a key of the
 * raw characters at its beginning was seen before, it gives that one instead, so that after
 * `{"x":1,"\\":1}` the text `{"x":1,"\"":2}` has the key `\` (nodejs/node issue 63785; Node 24 and 26,
 * and workerd). So such keys are parsed under other names, and then named as they are spelt.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!text.includes('\\')) return value
  const names = new Map<string, string>()
  const unescaped = withoutEscapedKeys(text, names)
  return names.size > 0 ? named(JSON.parse(unescaped), names) : value
}

/** The place behind the string that begins at `start` of a JSON text. */
export function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end + 1
}

function isEscaped(json: string, at: number): boolean {
  let first = at
  while (json[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

function withoutEscapedKeys(json: string, names: Map<string, string>): string {
  const stem = crypto.randomUUID()
  const parts: string[] = []
  let from = 0
  let end = 0
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', end)) {
    end = endOfString(json, at)
    const string = json.slice(at, end)
    if (!string.includes('\\') || !isKey(json, end)) continue
    const name = `${stem} ${names.size}`
    names.set(name, JSON.parse(string))
    parts.push(json.slice(from, at), `"${name}"`)
    from = end
  }
  return parts.join('') + json.slice(from)
}

function isKey(json: string, end: number): boolean {
  const colon = /\s*:/y
  colon.lastIndex = end
  return colon.test(json)
}

// Not by recursion: nobody has looked how deep it is.
function named(value: unknown, names: ReadonlyMap<string, string>): unknown {
  const unnamed = [value]
  for (let node = unnamed.pop(); node !== undefined; node = unnamed.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const entries = Object.entries(node)
    for (const [, child] of entries) unnamed.push(child)
    if (Array.isArray(node) || !entries.some(([key]) => names.has(key))) continue
    for (const [key] of entries) Reflect.deleteProperty(node, key)
    for (const [key, child] of entries) {
      Object.defineProperty(node, names.get(key) ?? key, {
        value: child,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
  }
  return value
}
