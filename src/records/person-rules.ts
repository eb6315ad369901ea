import * as z from 'zod'
import { derivedFieldIds } from '../geography/enrichment.ts'
import { type Fault, faultsOf } from '../model/checked.ts'
import { id as idType } from '../model/properties.ts'
import { type Kind, kinds, type Schema } from '../model/schema.ts'
import { asWritten } from './bounds.ts'
import { enriched } from './enriched.ts'
import { checkPerson, personRecord, valuesOf } from './person.ts'
import { isObject, notAnObject, type Rules } from './rules.ts'

/** The rules for people of a kind by the organisation's schema; they are given flat, or as the API shows them. */
export function personRules(kind: Kind, schema: Schema): Rules {
  const { id: idName } = kinds[kind]
  const Id = z.object({ [idName]: idType() })
  return {
    collection: kind,
    id: idName,
    unique: schema.fields.filter(({ type }) => type === 'uniqueId').map(({ id }) => id),
    check(given) {
      if (!isObject(given)) return notAnObject
      const { [idName]: id, ...flat } = given
      const known = Id.safeParse({ [idName]: id })
      const shown = Array.isArray(flat.fields)
        ? fieldsShown(flat.fields, flat, schema)
        : { values: flat, faults: [] }
      const person = checkPerson(kind, schema, shown.values)
      const faults = [
        ...(known.success ? [] : faultsOf(known.error)),
        ...shown.faults,
        ...('faults' in person ? person.faults : []),
      ]
      return 'kept' in person && faults.length === 0
        ? asWritten(String(id), personRecord(kind, String(id), person.kept))
        : { faults }
    },
    async place(geography, written) {
      const people = written.map(({ document }) => valuesOf(document))
      const values = await enriched(geography, schema, people)
      return written.map(({ id }, place) => ({ id, document: JSON.stringify(values[place]) }))
    },
  }
}

/** The values of a person as the API shows them, less the derived ones, which are derived anew; a fault for whatever would be lost. */
function fieldsShown(fields: unknown[], shown: Record<string, unknown>, schema: Schema) {
  const { fields: _, schemaInfo, ...beside } = shown
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
