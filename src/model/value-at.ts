/** The value at a path of names in a record, undefined where there is none; what an object inherits is not in it. */
export function valueAt(record: unknown, path: readonly string[]): unknown {
  let value = record
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = value[name as keyof typeof value]
  }
  return value
}
