import type { Field } from '../../model/schema.ts'
import { defaultProfileFields } from '../../people/profile.ts'
import { usualName } from './called.ts'
import type { Inferred } from './infer-type.ts'
import type { MappedColumn } from './mapping.ts'
import type { Place } from './places.ts'

/** What the fields that lists and profiles show must be to be called so. */
const shownTypes: Readonly<Record<string, Field['type']>> = {
  Email: 'email',
  Phone: 'phone',
  Postcode: 'postcode',
}

/** A field for a column of the file: its type by what it holds, its label the heading; called as lists and profiles call it, where it is one of what they show. */
export function fieldOf(
  heading: string,
  { type, options }: Inferred,
  taken: readonly string[],
): Field {
  const usual = usualName(heading)
  const known = defaultProfileFields.find(
    (id) => id === usual && !taken.includes(id) && (shownTypes[id] ?? type) === type,
  )
  const name =
    (known ?? heading).replaceAll('.', '').replace(/^\$+/, '').trim().slice(0, 200) || 'Column'
  const reserved = [
    'fields',
    'schemaInfo',
    'organisationId',
    'limit',
    'offset',
    'memberId',
    'volunteerId',
    'partnerId',
  ]
  const free = (id: string, times = 2): string =>
    taken.includes(id) || reserved.includes(id) ? free(`${name} (${times})`, times + 1) : id
  const id = free(name)
  return {
    id,
    name: id,
    label: heading,
    type,
    order: 0,
    ...(options && { options: options.map((value) => ({ value, label: value })) }),
  }
}

/** A full name for people who come with a first name and a surname: what lists and profiles show. */
export function fullNameOf(
  headings: readonly string[],
  places: readonly Place[],
  fields: Field[],
): MappedColumn[] {
  const id = 'Full Name'
  const parts = ['First Name', 'Surname'].flatMap(
    (part) => headings.find((heading) => usualName(heading) === part) ?? [],
  )
  const isThere = [...fields, ...places.map(({ path }) => ({ id: path }))].some(
    (field) => usualName(field.id) === id,
  )
  if (isThere || parts.length < 2) return []
  fields.unshift({ id, name: id, label: id, type: 'text', order: 0 })
  return parts.map((heading) => ({ heading, field: id, as: 'text' }))
}
