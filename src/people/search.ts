import { isPostcodeField } from '../geography/enrichment.ts'
import { compactPostcode } from '../geography/postcode.ts'
import { otherSpellings, plain } from '../model/accents.ts'
import { hidden } from '../model/hidden-keys.ts'
import { type Field, type Kind, kinds } from '../model/schema.ts'
import type { Beginning, Sought } from '../store/search.ts'

const mostWords = 4
const mostCharacters = 100
/** A search of one letter would find whoever comes first. */
const leastCharacters = 2

/**
 * What to look for where somebody types a part of a name, an e-mail address, a telephone number, a
 * postcode or an id; undefined where there is too little of it. The index tells upper case from lower,
 * so each is looked for as it was typed and as it is usually written, and names with one accent more
 * or without theirs.
 */
export function soughtBy(kind: Kind, fields: readonly Field[], typed: string): Sought | undefined {
  const text = typed.normalize('NFC').trim().replaceAll(/\s+/g, ' ').slice(0, mostCharacters)
  if (text.length < leastCharacters) return undefined
  const names = fields.filter(isName).map(({ id }) => id)
  const idsOf = (isOne: (field: Field) => boolean) => fields.filter(isOne).map(({ id }) => id)
  const words = text.split(' ').slice(0, mostWords)
  return {
    names,
    values: [
      ...beginnings([kinds[kind].id, ...idsOf(({ type }) => type === 'uniqueId')], cases(text)),
      ...beginnings(names, words.length > 1 ? cases(text) : called(text)),
      ...beginnings(idsOf(isAddress), [text, text.toLowerCase()]),
      ...beginnings(idsOf(isPhone), phones(text)),
      ...beginnings(
        idsOf(isPostcodeField).map((id) => hidden.postcodeOf + id),
        /^[a-z]{1,2}\d/i.test(text) ? [compactPostcode(text)] : [],
      ),
    ],
    words: words.map((word) => ({
      values: beginnings(names, called(word)),
      further: [...new Set(called(word).map(lowered))],
      plain: plain(word),
    })),
  }
}

const beginnings = (fields: readonly string[], texts: readonly string[]): Beginning[] =>
  fields.flatMap((field) => [...new Set(texts)].map((from) => ({ field, from })))

/** A word as names are written, and as those that differ from it by accents are. */
const called = (word: string) => [...cases(word), ...otherSpellings(capitalised(word))]

/** A text as typed, and as names and ids are written. */
const cases = (text: string) => [text, capitalised(text), text.toUpperCase(), text.toLowerCase()]

const capitalised = (text: string) =>
  text.toLowerCase().replaceAll(/(^|[\s'’-])(\p{L})/gu, (_, before, letter) => {
    return before + letter.toUpperCase()
  })

/** A word as the index folds it: SQLite knows the case of A to Z alone. */
const lowered = (word: string) => word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** A telephone number as typed and with its spaces where they usually are; its beginning may be one of a country's. */
function phones(text: string): string[] {
  const digits = text.replaceAll(/[\s()-]/g, '')
  if (!/^\+?\d{3,}$/.test(digits)) return []
  const national = digits.replace(/^(\+44|0044)/, '0')
  const grouped = [[5], [4, 3], [3, 4]].flatMap((groups) => [
    spaced(national, groups),
    `+44 ${spaced(national.slice(1), [(groups[0] ?? 1) - 1, ...groups.slice(1)])}`,
  ])
  return [text, digits, national, `+44${national.slice(1)}`, ...grouped]
}

function spaced(digits: string, groups: readonly number[]): string {
  const [size, ...others] = groups
  if (size === undefined || digits.length <= size) return digits
  return `${digits.slice(0, size)} ${spaced(digits.slice(size), others)}`
}

// A person's own, and not that of their school or of whom to call. The index has the words of names
// where a field's id says that it is one (migrations/0030_names.sql).
const ownName =
  /^(full|first|last|middle|given|family|preferred|maiden|previous|other|sur|fore|nick)?[ _-]*names?$|^known as$/i
const isName = ({ id, name, label, type }: Field) =>
  ['text', 'custom'].includes(type) && [id, name, label].some((called) => ownName.test(called))
const isAddress = ({ id, type }: Field) =>
  type === 'email' || (type === 'text' && /e-?mail/i.test(id))
const isPhone = ({ id, type }: Field) =>
  ['phone', 'phoneNumber'].includes(type) || (type === 'text' && /phone|mobile/i.test(id))
