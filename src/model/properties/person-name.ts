import { isFreeText } from './field-types.ts'
import { type UsualName, usualName } from './recognise.ts'
import type { Field, Values } from './schema.ts'

/** A person's name from the field of full names, or from those of first names and surnames. */
export const personName = (fields: readonly Field[], values: Values): string =>
  nameFields(fields)
    .map(({ id }) => values[id])
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' ')

/** The values of the name fields for a name. The last word is the surname, if that has a field. */
export function nameValues(fields: readonly Field[], name: string): Values {
  const [first, surname] = nameFields(fields)
  const text = name.trim()
  if (!first || text === '') return {}
  const space = text.lastIndexOf(' ')
  return surname && space > 0
    ? { [first.id]: text.slice(0, space).trim(), [surname.id]: text.slice(space + 1) }
    : { [first.id]: text }
}

const known = new WeakMap<readonly Field[], Field[]>()

/** The fields of a person's name. They are remembered, because a page names many people of one schema. */
export function nameFields(fields: readonly Field[]): Field[] {
  const found = known.get(fields) ?? findNameFields(fields)
  known.set(fields, found)
  return found
}

function findNameFields(fields: readonly Field[]): Field[] {
  const find = (usual: UsualName) =>
    fields.find(
      (field) =>
        isFreeText(field) &&
        [field.id, field.name, field.label].some((text) => usualName(text) === usual),
    )
  const fullName = find('Full Name')
  return fullName
    ? [fullName]
    : [find('First Name'), find('Surname')].filter((field) => field !== undefined)
}
