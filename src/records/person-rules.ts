import * as z from 'zod'
import { derivedFieldIds, isPostcodeField, postcodesOf } from '../geography/enrichment.ts'
import type { View } from '../limits/view.ts'
import { type Checked, type Fault, faultsOf } from '../model/checked.ts'
import { hidden } from '../model/hidden-keys.ts'
import { isObject } from '../model/is-object.ts'
import { idText } from '../model/properties.ts'
import { sameJson } from '../model/same-json.ts'
import { type Kind, kinds, type Schema, type Values } from '../model/schema.ts'
import type { Written } from '../store/put.ts'
import { answeredPerson, audiences } from './answers.ts'
import { asWritten } from './bounds.ts'
import { enriched } from './enriched.ts'
import { checkPerson, mergedPerson, personRecord, valuesById, valuesOf } from './person.ts'
import { notAnObject, type Rules } from './rules.ts'

/** The rules for people of a kind by the organisation's schema; they are given flat, or as the API shows them. The fields the view does not show are no fields here, and stay as they were. */
export function personRules(kind: Kind, schema: Schema, view?: View): Rules {
  const kept = view?.keptFields(schema.fields)
  const { id: idName } = kinds[kind]
  const Id = z.object({ [idName]: idText() })
  const checked = (
    given: unknown,
    check: (values: Values) => Checked<Values>,
  ): Checked<Written> => {
    if (!isObject(given)) return notAnObject
    const { [idName]: id, ...values } = given
    const known = Id.safeParse({ [idName]: id })
    const shown = flat(values, schema)
    const person = check(shown.values)
    const faults = [
      ...(known.success ? [] : faultsOf(known.error)),
      ...shown.faults,
      ...('faults' in person ? person.faults : []),
    ]
    return 'kept' in person && faults.length === 0
      ? asWritten(String(id), personRecord(kind, String(id), person.kept))
      : { faults }
  }
  return {
    collection: kind,
    id: idName,
    unique: schema.fields
      .filter(({ id, type }) => type === 'uniqueId' && !kept?.has(id))
      .map(({ id }) => id),
    sources: schema.fields.filter(isPostcodeField).map(({ id }) => id),
    // What is cleared is noted, so that older answers do not fill it again.
    dependsOnBefore: true,
    check: (given, before) =>
      checked(given, (values) => checkPerson(kind, schema, values, before, kept)),
    merge: (before, patch) =>
      checked(
        before && isObject(patch) ? { [idName]: before[idName], ...patch } : patch,
        (values) => mergedPerson(kind, schema, before, values, kept),
      ),
    named: ({ [idName]: _, ...patch }) => valuesById(schema, flat(patch, schema).values, kept),
    async answered(store, written) {
      const found = await store.answers(
        audiences[kind],
        written.map(({ id }) => id),
      )
      if (!found) return [...written]
      const responses = Map.groupBy(found, ({ id }) => id)
      const updated = new Date().toISOString()
      return written.map((one) => {
        const { id, document } = one
        const given = responses.get(id)
        if (!given) return one
        const values = answeredPerson(
          { kind, schema },
          { id, values: valuesOf(document), updated },
          given,
        )
        return { id, document: JSON.stringify(values) }
      })
    },
    place: (geography, written, before) => placed(geography, schema, written, before),
  }
}

/** People with the areas of their postcodes; the directory is asked of those whose postcodes are other than before. */
async function placed(
  geography: D1Database,
  schema: Schema,
  written: readonly Written[],
  before: ReadonlyMap<string, Values> = new Map(),
): Promise<Written[]> {
  const fields = schema.fields.filter(isPostcodeField).map(({ id }) => id)
  const derived = [...derivedFieldIds(schema.fields), hidden.edition]
  const people = written.map(({ id, document }) => {
    const values = valuesOf(document)
    const known = before.get(id)
    const stays = known && fields.every((field) => sameJson(values[field], known[field]))
    const areas = Object.entries(stays ? known : {}).filter(([key]) => derived.includes(key))
    return { id, stays, values: { ...values, ...Object.fromEntries(areas) } }
  })
  const moved = people.filter(({ stays }) => !stays)
  const values = moved.some(({ values }) => postcodesOf(values, fields).length > 0)
    ? await enriched(
        geography,
        schema,
        moved.map(({ values }) => values),
      )
    : moved.map(({ values }) => values)
  const enrichedById = new Map(moved.map(({ id }, place) => [id, values[place]]))
  return people.map(({ id, values }) => ({
    id,
    document: JSON.stringify(enrichedById.get(id) ?? values),
  }))
}

/** The values of a person who is given flat or as the API shows them. */
const flat = (given: Values, schema: Schema) =>
  Array.isArray(given.fields)
    ? fieldsShown(given.fields, given, schema)
    : { values: given, faults: [] }

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
