/** A field, by its dotted path, and the values that count as equal to what was asked for: two at most, with the text that counts in another field. */
export type Filter = {
  field: string
  values: readonly (string | number | boolean)[]
  or?: { field: string; text: string }
}

const decimal = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const boolean = /^(true|false)$/i

/** A filter on any field: `text` itself, and the boolean or the number it spells (decisions 3). */
export function parseFilter(field: string, text: string): Filter {
  if (boolean.test(text)) return { field, values: [text, text.toLowerCase() === 'true'] }
  const number = numberSpelled(text)
  return { field, values: number === undefined ? [text] : [text, number] }
}

function numberSpelled(text: string): number | undefined {
  if (!decimal.test(text)) return undefined
  const number = Number(text)
  const size = Math.abs(number)
  // At 2^53 two spellings meet in one number, so only its own counts.
  const exact = size < 2 ** 53 || (size === 2 ** 53 && String(number) === text)
  return exact ? number : undefined
}
