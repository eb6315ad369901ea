/** The letters that are accented in names met in the United Kingdom, each with its accents, the most usual first. */
const accented: Readonly<Record<string, string>> = {
  ...{ a: 'áàâãäåą', c: 'çćč', e: 'éëèêę', g: 'ğ', i: 'íïîìı', l: 'ł', n: 'ñńň' },
  ...{ o: 'óöôòõø', r: 'ř', s: 'śšş', t: 'ţ', u: 'üúûùů', w: 'ŵ', y: 'ýŷ', z: 'żźž' },
}

/** The accented letters that names begin with. */
const capitals = 'ÁÀÂÄÅÇĆČÉÈÊËÍÎŁÑÓÖÔØŘŚŠŞÚÜŽŻ'

/** Each accented letter with the letter that it is without its accent; of those in capitals the small one. */
export const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries(accented).flatMap(([plain, accents]) =>
    [...accents, ...capitals]
      .filter((letter) => accents.includes(letter.toLowerCase()))
      .map((letter) => [letter, plain]),
  ),
)

const mostSpellings = 40

/** A word in small letters, without accents. */
export const removeAccents = (word: string): string =>
  [...word.toLowerCase()].map((letter) => plainLetters.get(letter) ?? letter).join('')

/** A word of a name as it may be written otherwise: without its accents, or with one more; at most 40, the most usual first. */
export function accentVariants(word: string): string[] {
  const letters = [...word]
  const inCase = (letter: string, as: string) =>
    as === as.toLowerCase() ? letter : letter.toUpperCase()
  const without = letters.map((letter) =>
    inCase(plainLetters.get(letter.toLowerCase()) ?? letter, letter),
  )
  const ranks = Math.max(...Object.values(accented).map((accents) => accents.length))
  const withOne = Array.from({ length: ranks }, (_, rank) =>
    letters.flatMap((letter, place) => {
      const accent = accented[letter.toLowerCase()]?.[rank]
      return accent === undefined ? [] : [letters.with(place, inCase(accent, letter)).join('')]
    }),
  ).flat()
  return [...new Set([without.join(''), ...withOne])]
    .filter((spelling) => spelling !== word)
    .slice(0, mostSpellings)
}
