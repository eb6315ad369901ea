/** A text as it counts where it is compared with another: case, accents, spaces and the shape of its apostrophes do not. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[łøđ]/g, (letter) => baseLetters[letter] ?? letter)
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()

// Letters that Unicode does not take apart.
const baseLetters: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd' }
