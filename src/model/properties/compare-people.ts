import { isPrintableAscii } from '../../platform/ascii.ts'
import { normalisePhone, phoneSpellings } from '../phone.ts'
import { removeAccents } from '../spelling.ts'
import type { OwnFields } from './own-details.ts'
import type { Field, Values } from './schema.ts'

/*
 * How names, e-mail addresses, telephone numbers and birth dates are compared. Everything that looks for the same
 * person asks here: likely duplicates, imports, registers, and the records to show or erase with a person.
 */

type Comparison = {
  /** Makes the spellings of a detail equal; '' for a text that is no such detail, which equals nothing. */
  normalise(text: string): string
  /** The usual spellings of a detail: the index distinguishes them. */
  spellings(text: string): readonly string[]
}

const itself = (text: string) => [text]

const comparisons = {
  name: { normalise: normaliseName, spellings: itself },
  // A field of addresses may hold words, such as "none".
  email: {
    normalise: (text) => (text.includes('@') ? normaliseEmail(text) : ''),
    spellings: emailSpellings,
  },
  phone: { normalise: normalisePhone, spellings: phoneSpellings },
  birthDate: { normalise: (text) => text.trim(), spellings: itself },
} satisfies Record<string, Comparison>

/** A detail that people are compared by. */
export type ComparedDetail = keyof typeof comparisons

/** Whether two texts are the same detail of a person. */
export function isSameDetail(detail: ComparedDetail, one: string, other: string): boolean {
  const text = comparisons[detail].normalise(one)
  return text !== '' && text === comparisons[detail].normalise(other)
}

/** The spellings of a detail to look up in the index; none for a text that is no such detail. */
export const spellingsOf = (detail: ComparedDetail, text: string): readonly string[] =>
  comparisons[detail].normalise(text) === '' ? [] : comparisons[detail].spellings(text)

/** A person's own details in one spelling, so that equal details are equal texts; '' and none if unknown. */
export type OwnDetails = {
  name: string
  emails: readonly string[]
  phones: readonly string[]
  birthDate: string
}

/** Reads a person's own details from their values. */
export function readOwnDetails(own: OwnFields, values: Values): OwnDetails {
  const textsOf = (fields: readonly Field[], { normalise }: Comparison) => [
    ...new Set(
      fields
        .map(({ id }) => values[id])
        .filter((value) => typeof value === 'string')
        .map(normalise)
        .filter((text) => text !== ''),
    ),
  ]
  return {
    name: own.names
      .map(({ id }) => values[id])
      .filter((value) => typeof value === 'string')
      .map(comparisons.name.normalise)
      .join(''),
    emails: textsOf(own.emails, comparisons.email),
    phones: textsOf(own.phones, comparisons.phone),
    birthDate: textsOf(own.birthDates, comparisons.birthDate)[0] ?? '',
  }
}

/** The details that two people can share, the strongest sign of a duplicate first. */
export const sharedDetails = ['name and birth date', 'email', 'phone'] as const
export type SharedDetail = (typeof sharedDetails)[number]

/** A detail that more people share is that of an organisation or a large household. */
export const maxSharing = 10

/** The texts by which people share a detail. */
export const keysOf: Record<SharedDetail, (details: OwnDetails) => readonly string[]> = {
  'name and birth date': ({ name, birthDate }) =>
    name && birthDate ? [`${birthDate} ${name}`] : [],
  email: ({ emails }) => emails,
  phone: ({ phones }) => phones,
}

/**
 * Whether two names can be those of one person: each word of the shorter is a word of the longer or
 * its initial, as in "R. Quill" and "Rosa Mary Quill". A missing name agrees with any.
 */
export function namesAgree(one: string, other: string): boolean {
  const [shorter = [], longer = []] = [one, other]
    .map((name) =>
      name
        .split(/[\s.,]+/)
        .map(normaliseName)
        .filter(Boolean),
    )
    .toSorted((first, second) => first.length - second.length)
  const remaining = [...longer]
  return shorter.every((word) => {
    const index = remaining.findIndex(
      (match) =>
        match === word || (Math.min(word.length, match.length) === 1 && match[0] === word[0]),
    )
    if (index >= 0) remaining.splice(index, 1)
    return index >= 0
  })
}

/** A name in lower case with only its letters and digits: O’Brien, O'Brien and Obrien are equal. */
export function normaliseName(name: string): string {
  const plain = removeAccents(name)
  // Searches compare every name; the letters of Unicode take several times as long.
  return plain.replaceAll(isPrintableAscii(plain) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, '')
}

/** An e-mail address in lower case. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

/**
 * An e-mail address as typed and in the usual cases, because the index is case-sensitive: each part in small letters
 * or in capitals, with a capital at its beginning or at that of each word, or with two initials as in JSmith.
 */
function emailSpellings(email: string): string[] {
  const lower = normaliseEmail(email)
  const capitalise = (text: string, letters: RegExp) =>
    text.replaceAll(letters, (letter) => letter.toUpperCase())
  const names = [
    lower,
    capitalise(lower, /.(?=.*@)/g),
    capitalise(lower, /^./g),
    capitalise(lower, /(?:^|[.-])[a-z](?=.*@)/g),
    capitalise(lower, /^..(?=.*@)/g),
  ]
  return [
    ...new Set([
      email,
      ...names,
      ...names.map((spelling) => capitalise(spelling, /(?<=@)./g)),
      capitalise(lower, /(?<=@).*/g),
      capitalise(lower, /(?:^|[.@-])[a-z]/g),
      lower.toUpperCase(),
    ]),
  ]
}
