/** Returns the Levenshtein distance of two texts. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1]
    for (let place = 0; place < other.length; place++) {
      const replaced = (row[place] ?? 0) + (one[at] === other[place] ? 0 : 1)
      next.push(Math.min(replaced, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
