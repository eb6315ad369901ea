/** Letters with accents in UK names, each with its accented forms, the most common first. */
const accented: Readonly<Record<string, string>> = {
  a: 'áàâãäåą',
  c: 'çćč',
  e: 'éëèêę',
  g: 'ğ',
  i: 'íïîìı',
  l: 'ł',
  n: 'ñńň',
  o: 'óöôòõøő',
  r: 'ř',
  s: 'śšşș',
  t: 'ţț',
  u: 'üúûùů',
  w: 'ŵ',
  y: 'ýŷ',
  z: 'żźž',
}

/** Letters that Unicode does not separate from their accents, and ligatures. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' },
}

const maxVariants = 40
const maxComparedLength = 64

export function removeAccents(text: string): string {
  const lower = text.toLowerCase()
  if (/^[ -~]*$/.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łøđðħıæœßþ]/g, (letter) => plainLetters[letter] ?? letter)
}

/** A word without its accents, and with each possible additional accent: at most 40 spellings, the most common first. */
export function accentVariants(word: string): string[] {
  const letters = [...word]
  const matchCase = (letter: string, original: string) =>
    original === original.toLowerCase() ? letter : letter.toUpperCase()
  const withoutAccents = letters.map((letter) => matchCase(removeAccents(letter), letter))
  const ranks = Math.max(...Object.values(accented).map((accents) => accents.length))
  const withOneMore = Array.from({ length: ranks }, (_, rank) =>
    letters.flatMap((letter, index) => {
      const accent = accented[letter.toLowerCase()]?.[rank]
      return accent === undefined ? [] : [letters.with(index, matchCase(accent, letter)).join('')]
    }),
  ).flat()
  return [...new Set([withoutAccents.join(''), ...withOneMore])]
    .filter((spelling) => spelling !== word)
    .slice(0, maxVariants)
}

/** The usual cases of a word of a name, and its variants with other accents. */
export const nameVariants = (word: string) => [
  ...caseVariants(word),
  ...accentVariants(capitalise(word)),
]

/** A text as typed and in the usual cases of names and ids. */
export const caseVariants = (text: string) => [
  text,
  capitalise(text),
  text.toUpperCase(),
  text.toLowerCase(),
]

const capitalise = (text: string) =>
  text.toLowerCase().replaceAll(/(^|[\s'’-])(\p{L})/gu, (_, before, letter) => {
    return before + letter.toUpperCase()
  })

/** Lowercases only A to Z, like SQLite in the index. */
export const lowerAscii = (word: string) =>
  word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The name that is most like another, ignoring case; '' without names. */
export function findNearest(name: string, names: Iterable<string>): string {
  const target = toComparable(name)
  let best = { name: '', distance: Number.POSITIVE_INFINITY }
  for (const other of names) {
    const distance = editDistance(target, toComparable(other))
    if (distance < best.distance) best = { name: other, distance }
  }
  return best.name
}

// Limits the time that a long name from a client can take.
const toComparable = (name: string) => name.toLowerCase().slice(0, maxComparedLength)

export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let index = 0; index < one.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < other.length; column++) {
      const replaced = (row[column] ?? 0) + (one[index] === other[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
