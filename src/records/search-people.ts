import { compactPostcode } from '../geography/postcode.ts'
import { isPostcodeField } from '../model/properties/area-fields.ts'
import { fieldTypes } from '../model/properties/field-types.ts'
import {
  type ContactDetail,
  fieldMayHold,
  isPersonName,
  typeHolds,
} from '../model/properties/recognise.ts'
import { type Field, internalKeys, type Kind, kinds } from '../model/properties/schema.ts'
import { accentVariants, removeAccents } from '../model/spelling.ts'
import type { PersonSearch, PrefixMatch } from '../store/people/search.ts'

const maxWords = 4
const maxCharacters = 100
/** Schemas may have hundreds of fields, and each field costs rows. */
const maxFieldsPerDetail = 10
/** One letter would find almost anyone. */
const minCharacters = 2

/**
 * Builds the search for the start of a name, email address, telephone number, postcode, date of
 * birth or id; undefined if the text is too short. The index is case-sensitive, so the search
 * includes the usual cases, and for names the variants without accents and with one more accent.
 */
export function buildPersonSearch(
  kind: Kind,
  fields: readonly Field[],
  input: string,
): PersonSearch | undefined {
  const text = input.normalize('NFC').trim().replaceAll(/\s+/g, ' ').slice(0, maxCharacters)
  if (text.length < minCharacters) return undefined
  const fieldIds = (matches: (field: Field) => boolean) =>
    fields
      .filter(matches)
      .map(({ id }) => id)
      .slice(0, maxFieldsPerDetail)
  const names = fieldIds(isNameField)
  const words = text.split(' ').slice(0, maxWords)
  return {
    names,
    values: [
      ...prefixMatches(
        [kinds[kind].id, ...fieldIds(({ type }) => type === 'uniqueId')],
        caseVariants(text),
      ),
      ...prefixMatches(names, words.length > 1 ? caseVariants(text) : nameVariants(text)),
      ...prefixMatches(fieldIds(holds('email')), [text, text.toLowerCase()]),
      ...prefixMatches(fieldIds(holds('phone')), phoneVariants(text)),
      ...prefixMatches(
        fieldIds(isPostcodeField).map((id) => internalKeys.postcodePrefix + id),
        beginsAsPostcode(text) ? [compactPostcode(text)] : [],
      ),
      ...prefixMatches(
        fieldIds((field) => holds('postcode')(field) && !isPostcodeField(field)),
        postcodeVariants(text),
      ),
      ...prefixMatches(fieldIds(isBirthDateField), dateVariants(text)),
    ],
    words: words.map((word) => ({
      values: prefixMatches(names, nameVariants(word)),
      further: [...new Set(nameVariants(word).map(lowerAscii))],
      plain: removeAccents(word),
    })),
  }
}

const prefixMatches = (fields: readonly string[], texts: readonly string[]): PrefixMatch[] =>
  fields.flatMap((field) => [...new Set(texts)].map((from) => ({ field, from })))

/** Returns the usual cases of a word and its variants with other accents. */
const nameVariants = (word: string) => [...caseVariants(word), ...accentVariants(capitalise(word))]

/** Returns a text as typed and in the usual cases of names and ids. */
const caseVariants = (text: string) => [
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
const lowerAscii = (word: string) => word.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const beginsAsPostcode = (text: string) => /^[a-z]{1,2}\d/i.test(text)

/** Returns a postcode as typed, and in capitals with and without its space. */
function postcodeVariants(text: string): string[] {
  if (!beginsAsPostcode(text)) return []
  const compact = compactPostcode(text)
  const spaced = [2, 3, 4]
    .filter((length) => compact.length > length)
    .map((length) => `${compact.slice(0, length)} ${compact.slice(length)}`)
  return [text, compact, ...spaced]
}

/** Returns a date as typed, and a complete date also in its stored form. */
function dateVariants(text: string): string[] {
  if (!/^\d/.test(text)) return []
  const [, day, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? []
  return year && month && day
    ? [text, `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`]
    : [text]
}

/**
 * Returns a telephone number as typed and with the usual spaces; it may begin with a country code.
 */
function phoneVariants(text: string): string[] {
  const digits = text.replaceAll(/[\s()-]/g, '')
  if (!/^\+?\d{3,}$/.test(digits)) return []
  const national = digits.replace(/^(\+44|0044)/, '0')
  const grouped = [[5], [4, 3], [3, 4]].flatMap((groups) => [
    groupDigits(national, groups),
    `+44 ${groupDigits(national.slice(1), [(groups[0] ?? 1) - 1, ...groups.slice(1)])}`,
  ])
  return [text, digits, national, `+44${national.slice(1)}`, ...grouped]
}

function groupDigits(digits: string, groups: readonly number[]): string {
  const [size, ...otherSizes] = groups
  if (size === undefined || digits.length <= size) return digits
  return `${digits.slice(0, size)} ${groupDigits(digits.slice(size), otherSizes)}`
}

const isFreeText = ({ type }: Field) => fieldTypes[type].isFreeText === true

/** Returns a predicate for fields that may hold a detail as text. */
const holds = (detail: ContactDetail) => (field: Field) =>
  typeHolds(detail, field) || (isFreeText(field) && fieldMayHold(detail, field))

// The index has the words of names in fields with `name` in their id
// (migrations/records/0003_index.sql).
const isNameField = (field: Field) =>
  isFreeText(field) && [field.id, field.name, field.label].some(isPersonName)

const isBirthDateField = (field: Field) =>
  (isFreeText(field) || field.type === 'date') && fieldMayHold('date of birth', field)
