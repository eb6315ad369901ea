export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path of names in a record; inherited properties do not count. */
export function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = value[name as keyof typeof value]
  }
  return value
}

/** Sets the value at a path of names in a record, even for names such as `__proto__`. */
export function setProperty(
  record: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  const isOwn = Object.hasOwn(record, name)
  if (rest.length > 0 && isOwn && typeof record[name] === 'object' && record[name] !== null) {
    setProperty(record[name] as Record<string, unknown>, rest, value)
    return
  }
  const inner: Record<string, unknown> = {}
  if (rest.length > 0) setProperty(inner, rest, value)
  Object.defineProperty(record, name, {
    value: rest.length > 0 ? inner : value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => isSameJson(value, other[index]))
    )
  }
  const values = new Map(Object.entries(other))
  const entries = Object.entries(one)
  return (
    entries.length === values.size &&
    entries.every(([name, value]) => values.has(name) && isSameJson(value, values.get(name)))
  )
}

/** The index after the string that starts at `start` in a valid JSON text. */
export function findStringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end + 1
}

function isEscaped(json: string, position: number): boolean {
  let first = position
  while (json[first - 1] === '\\') first--
  return (position - first) % 2 === 1
}
