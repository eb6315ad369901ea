import * as z from 'zod'
import { derivedFieldIds } from '../../src/geography/enrichment.ts'
import { enriched } from '../../src/people/enriched.ts'
import type { Values } from '../../src/people/layout.ts'
import { checkPerson, personDocument } from '../../src/people/person.ts'
import { kinds, type Schema } from '../../src/people/schema.ts'
import { type Fault, faultsOf } from '../../src/store/checked.ts'
import { id as idType } from '../../src/store/properties.ts'
import type { Kind } from '../../src/store/store.ts'
import { cells } from './cells.ts'
import { isObject, notAnObject, type Target } from './target.ts'

/** People of a kind by the organisation's schema, flat or as the API shows them. */
export function personTarget(kind: Kind, schema: Schema): Target {
  const { id: idName } = kinds[kind]
  const Id = z.object({ [idName]: idType() })
  return {
    collection: kind,
    plural: kind,
    id: idName,
    nested: false,
    unique: schema.fields.filter(({ type }) => type === 'uniqueId').map(({ id }) => id),
    cell(column) {
      if (column === idName) return cells.text
      const field =
        schema.fields.find(({ id }) => id === column) ??
        schema.fields.find(({ name }) => name === column)
      if (!field) return undefined
      if (field.type === 'number' || field.type === 'boolean') return cells[field.type]
      return field.type === 'multipleSelect' || field.type === 'tags' ? cells.list : cells.text
    },
    check(given) {
      if (!isObject(given)) return notAnObject
      const { [idName]: id, fields, schemaInfo, ...flat } = given
      const known = Id.safeParse({ [idName]: id })
      const shown = Array.isArray(fields)
        ? fieldsShown(fields, flat, schema)
        : { values: flat, faults: [] }
      const person = checkPerson(kind, schema, shown.values)
      const faults = [
        ...(known.success ? [] : faultsOf(known.error)),
        ...shown.faults,
        ...('faults' in person ? person.faults : []),
      ]
      return 'kept' in person && faults.length === 0
        ? { kept: { id: String(id), document: personDocument(kind, String(id), person.kept) } }
        : { faults }
    },
    async enrich(geography, written) {
      const people = written.map(({ document }): Values => JSON.parse(document))
      const values = await enriched(geography, schema, people)
      return written.map(({ id }, place) => ({ id, document: JSON.stringify(values[place]) }))
    },
  }
}

/** The values of a person as the API shows them, less the derived ones, which are derived anew; a fault for whatever would be lost. */
function fieldsShown(fields: unknown[], beside: object, schema: Schema) {
  const derived = derivedFieldIds(schema.fields)
  const faults: Fault[] = Object.keys(beside).map((field) => ({
    field,
    reason: 'is not a property beside fields.',
  }))
  const values = new Map<string, unknown>()
  for (const [place, field] of fields.entries()) {
    if (!isObject(field) || typeof field.key !== 'string') {
      faults.push({ field: `fields.${place}`, reason: 'is not an object with a key.' })
    } else if (values.has(field.key)) {
      faults.push({ field: field.key, reason: 'is given twice.' })
    } else if (!derived.has(field.key)) {
      values.set(field.key, field.value)
    }
  }
  return { values: Object.fromEntries(values), faults }
}
