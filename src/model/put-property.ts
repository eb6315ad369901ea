/** Puts a value into a record at a path of names, including names such as `__proto__`. */
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
