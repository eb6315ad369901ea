import { ageOn } from '../../model/age.ts'
import { findOwnFields } from '../../model/properties/own-details.ts'
import { holds } from '../../model/properties/recognise.ts'
import type { Field, Values } from '../../model/properties/schema.ts'

const adultAge = 18

/** Names of fields with the address of somebody who answers for a child. */
const contactNames = /parent|guardian|carer|mother|father|\bmum\b|\bdad\b/i

const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const maxLength = 254

/**
 * Returns a function that finds the e-mail address for a person's post, or ''. A child's contact gets it, if there is one.
 * Without a date of birth, a contact gets it only if the person has no address.
 */
export function addressReader(fields: readonly Field[], day: string): (values: Values) => string {
  const { emails, birthDates } = findOwnFields(fields)
  const contacts = fields.filter(
    (field) =>
      holds('email', field) &&
      !emails.includes(field) &&
      [field.id, field.name, field.label].some((name) => contactNames.test(name)),
  )
  return (values) => {
    const birthDate = firstText(values, birthDates, isDay)
    const age = birthDate === '' ? undefined : ageOn(day, birthDate)
    return firstText(values, orderFields(age, emails, contacts), isAddress)
  }
}

function orderFields(age: number | undefined, own: readonly Field[], contacts: readonly Field[]) {
  if (age === undefined) return [...own, ...contacts]
  return age < adultAge ? [...contacts, ...own] : own
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text)

const isAddress = (text: string) => text.length <= maxLength && address.test(text)

function firstText(
  values: Values,
  fields: readonly Field[],
  isValid: (text: string) => boolean,
): string {
  const texts = fields.map(({ id }) => String(values[id] ?? '').trim())
  return texts.find((text) => text !== '' && isValid(text)) ?? ''
}
