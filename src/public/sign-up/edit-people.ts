import { nameFields, nameValues } from '../../model/properties/person-name.ts'
import { holds, typeHolds } from '../../model/properties/recognise.ts'
import { maxAttendees } from '../../sign-up/attendees.ts'
import type { SignUpField } from '../../sign-up/form.ts'
import type { FormValues } from '../ui/form-values.ts'
import { controls, countPeople, fieldControlName } from './answers.ts'

/*
 * The people of a form, whose values a step changes before its page is shown. A family shares a surname, a postcode or
 * an address, and a phone: another person begins with those of the first.
 */

type Fields = readonly SignUpField[]

/** The values of a form with one more person. */
export function addPerson(fields: Fields, values: FormValues): FormValues {
  const person = countPeople(values)
  if (person === maxAttendees) return values
  const added = copyDetails(fields, values, person).with(controls.people, String(person + 1))
  const surname = readSurname(fields, values)
  const [first, last] = nameFields(fields)
  if (!first || surname === '') return added
  return last
    ? added.with(fieldControlName(person, last.id), surname)
    : added.with(fieldControlName(person, first.id), ` ${surname}`)
}

/** The values of a form without the attendee at index `removed`. Later attendees move up. */
export const removePerson = (values: FormValues, removed: number): FormValues =>
  values
    .renamed((name) => {
      const [, person = '', rest = ''] = /^attendees\.(\d+)(\..*)$/.exec(name) ?? []
      if (rest === '' || Number(person) < removed) return name
      return Number(person) === removed ? undefined : `attendees.${Number(person) - 1}${rest}`
    })
    .with(controls.people, String(countPeople(values) - 1))

/** The values of a form in which the contact, if they have ticked that they come too, is one of the people. */
export function includeContact(fields: Fields, values: FormValues): FormValues {
  const contact = values.text(controls.name)
  if (values.text(controls.coming) === '' || contact === '') return values
  const people = countPeople(values)
  const unnamed = Array.from({ length: people }).findIndex((_, person) =>
    nameFields(fields).every(({ id }) => values.text(fieldControlName(person, id)) === ''),
  )
  const person = unnamed < 0 ? people : unnamed
  if (person === maxAttendees) return values
  const email = fields.find((field) => typeHolds('email', field))
  const known = {
    ...nameValues(fields, contact),
    ...(email && { [email.id]: values.text(controls.email) }),
  }
  return Object.entries(known)
    .reduce(
      (filled, [id, value]) => filled.with(fieldControlName(person, id), String(value)),
      copyDetails(fields, values, person),
    )
    .with(controls.people, String(Math.max(people, person + 1)))
    .with(controls.coming, '')
}

/** The fields of which another person begins with the values of the first. */
export const sharedFields = (fields: Fields): Fields =>
  fields.filter((field) => holds('postcode', field) || holds('phone', field))

function copyDetails(fields: Fields, values: FormValues, person: number): FormValues {
  if (person === 0) return values
  return sharedFields(fields).reduce(
    (copied, { id }) =>
      copied.with(fieldControlName(person, id), values.text(fieldControlName(0, id))),
    values,
  )
}

/** The surname of the first person, or of the contact; the last word of a full name. */
function readSurname(fields: Fields, values: FormValues): string {
  const [first, last] = nameFields(fields)
  if (last) return values.text(fieldControlName(0, last.id))
  const names = [first && values.text(fieldControlName(0, first.id)), values.text(controls.name)]
  return names.map((name = '') => /\s(\S+)$/.exec(name)?.[1]).find(Boolean) ?? ''
}
