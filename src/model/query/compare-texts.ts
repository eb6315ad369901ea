/** Folds A to Z, as SQLite's lower() does. */
export const foldCase = (text: string) =>
  text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Compares two texts by Unicode code point, as SQLite does; `<` would compare UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at++
  const [a = -1, b = -1] = [one.codePointAt(at), other.codePointAt(at)]
  // A difference in the second half of a surrogate pair orders as its whole code point does.
  return a - b
}
