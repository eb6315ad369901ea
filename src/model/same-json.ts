/** Returns whether two JSON values are equal; the order of an object's properties does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, place) => isSameJson(value, other[place]))
    )
  }
  const values = new Map(Object.entries(other))
  const entries = Object.entries(one)
  return (
    entries.length === values.size &&
    entries.every(([name, value]) => values.has(name) && isSameJson(value, values.get(name)))
  )
}
