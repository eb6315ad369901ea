/** Returns the value at a path of names in a record; inherited properties do not count. */
export function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = value[name as keyof typeof value]
  }
  return value
}
