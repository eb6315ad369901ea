/** The letters that are accented in names met in the United Kingdom, each with its accents, the most usual first. */
const accented: Readonly<Record<string, string>> = {
  ...{ a: 'áàâãäåą', c: 'çćč', e: 'éëèêę', g: 'ğ', i: 'íïîìı', l: 'ł', n: 'ñńň' },
  ...{ o: 'óöôòõø', r: 'ř', s: 'śšş', t: 'ţ', u: 'üúûùů', w: 'ŵ', y: 'ýŷÿ', z: 'żźž' },
}

const mostSpellings = 40

/** A word of a name as it may be written otherwise: without its accents, or with one more; at most 40, the most usual first. */
export function otherSpellings(word: string): string[] {
  const plain = word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[łŁøØı]/g, (letter) => plainOf[letter] ?? letter)
  const letters = [...word]
  const ranks = Math.max(...Object.values(accented).map((accents) => accents.length))
  const withOne = Array.from({ length: ranks }, (_, rank) =>
    letters.flatMap((letter, place) => {
      const accent = accented[letter.toLowerCase()]?.[rank]
      if (accent === undefined) return []
      return [
        letters
          .with(place, letter === letter.toLowerCase() ? accent : accent.toUpperCase())
          .join(''),
      ]
    }),
  ).flat()
  return [...(plain === word ? [] : [plain]), ...withOne].slice(0, mostSpellings)
}

/** Those that are no letter with a mark in Unicode. */
const plainOf: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', ı: 'i' }
