import { defaultProfileFields } from '../../formats/booking-profile.ts'
import { type Field, reservedFieldIds } from '../../model/properties/schema.ts'
import { canonicalName } from './heading-names.ts'
import type { InferredType } from './infer-type.ts'
import type { MappedColumn } from './mapping.ts'
import type { TargetField } from './target-fields.ts'

/** The types that fields must have to get a name that lists and profiles show. */
const displayedFieldTypes: Readonly<Record<string, Field['type']>> = {
  Email: 'email',
  Phone: 'phone',
  Postcode: 'postcode',
}

/** Creates a field for a column, labelled with its heading. It gets the canonical name if lists or profiles show that name. */
export function createField(
  heading: string,
  { type, options }: InferredType,
  takenIds: readonly string[],
): Field {
  const canonical = canonicalName(heading)
  const displayedField = defaultProfileFields.find(
    (id) =>
      id === canonical && !takenIds.includes(id) && (displayedFieldTypes[id] ?? type) === type,
  )
  const name =
    (displayedField ?? heading).replaceAll('.', '').replace(/^\$+/, '').trim().slice(0, 200) ||
    'Column'
  const findFreeId = (id: string, times = 2): string =>
    takenIds.includes(id) || reservedFieldIds.includes(id)
      ? findFreeId(`${name} (${times})`, times + 1)
      : id
  const id = findFreeId(name)
  return {
    id,
    name: id,
    label: heading,
    type,
    order: 0,
    ...(options && { options: options.map((value) => ({ value, label: value })) }),
  }
}

/** Adds a full name field from first name and surname, because lists and profiles show it. */
export function addFullName(
  headings: readonly string[],
  targetFields: readonly TargetField[],
  fields: Field[],
): MappedColumn[] {
  const id = 'Full Name'
  const parts = ['First Name', 'Surname'].flatMap(
    (part) => headings.find((heading) => canonicalName(heading) === part) ?? [],
  )
  const hasFullName = [...fields, ...targetFields.map(({ path }) => ({ id: path }))].some(
    (field) => canonicalName(field.id) === id,
  )
  if (hasFullName || parts.length < 2) return []
  fields.unshift({ id, name: id, label: id, type: 'text', order: 0 })
  return parts.map((heading) => ({ heading, field: id, as: 'text' }))
}
