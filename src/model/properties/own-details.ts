import { normalisePhone } from '../phone.ts'
import { removeAccents } from '../spelling.ts'
import { isFreeText } from './field-types.ts'
import { nameFields } from './person-name.ts'
import { typeHolds, type UsualName, usualName } from './recognise.ts'
import type { Field, Values } from './schema.ts'

/** The fields of a person's own details, rather than those of a parent or an emergency contact. */
export type OwnFields = {
  names: readonly Field[]
  emails: readonly Field[]
  phones: readonly Field[]
  birthDates: readonly Field[]
}

/** Schemas may have hundreds of fields. */
const maxFields = 4

/** Finds the fields of a person's own details by their names; otherwise the first e-mail and phone field. */
export function findOwnFields(fields: readonly Field[]): OwnFields {
  const find = (names: readonly UsualName[], matches: (field: Field) => boolean) =>
    fields
      .filter(
        (field) =>
          matches(field) &&
          [field.id, field.name, field.label].some((text) => {
            const usual = usualName(text)
            return usual !== undefined && names.includes(usual)
          }),
      )
      .slice(0, maxFields)
  const findContact = (detail: 'email' | 'phone', names: readonly UsualName[]) => {
    const named = find(names, (field) => typeHolds(detail, field) || isFreeText(field))
    return named.length > 0 ? named : fields.filter((field) => typeHolds(detail, field)).slice(0, 1)
  }
  return {
    names: nameFields(fields),
    emails: findContact('email', ['Email']),
    phones: findContact('phone', ['Phone', 'Mobile']),
    birthDates: find(['Date of Birth'], (field) => field.type === 'date' || isFreeText(field)),
  }
}

/** A person's own details in one spelling, so that equal details are equal texts; '' and none if unknown. */
export type OwnDetails = {
  name: string
  emails: readonly string[]
  phones: readonly string[]
  birthDate: string
}

/** Reads a person's own details from their values. */
export function readOwnDetails(own: OwnFields, values: Values): OwnDetails {
  const textsOf = (fields: readonly Field[], normalise: (text: string) => string) => [
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
      .map(normaliseName)
      .join(''),
    emails: textsOf(own.emails, normaliseEmail),
    phones: textsOf(own.phones, normalisePhone),
    birthDate: textsOf(own.birthDates, (text) => text.trim())[0] ?? '',
  }
}

/** A name in lower case with only its letters and digits: O’Brien, O'Brien and Obrien are equal. */
export function normaliseName(name: string): string {
  const plain = removeAccents(name)
  // Searches compare every name; the letters of Unicode take several times as long.
  return plain.replaceAll(/^[ -~]*$/.test(plain) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, '')
}

export const normaliseEmail = (email: string): string => email.trim().toLowerCase()

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

/** An e-mail address as typed and in the usual cases: the index is case-sensitive. */
export const emailSpellings = (email: string): string[] => {
  const lower = normaliseEmail(email)
  const capitalise = (text: string, starts: RegExp) =>
    text.replaceAll(starts, (start) => start.toUpperCase())
  return [
    ...[email, lower, lower.toUpperCase(), capitalise(lower, /^./g)],
    ...[capitalise(lower, /(?:^|[.-])[a-z](?=.*@)/g), capitalise(lower, /(?:^|[.@-])[a-z]/g)],
  ]
}
