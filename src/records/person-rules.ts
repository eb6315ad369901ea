import * as z from 'zod'
import type { AccessPolicy } from '../access/access-policy.ts'
import { lookUpAreas } from '../geography/lookup.ts'
import { isObject, isSameJson } from '../model/json.ts'
import {
  derivedFieldIds,
  isPostcodeField,
  listPostcodes,
  replaceAreas,
} from '../model/properties/area-fields.ts'
import {
  internalKeys,
  type Kind,
  kinds,
  type Schema,
  type Values,
} from '../model/properties/schema.ts'
import { idText } from '../model/properties/types.ts'
import { type Validated, type ValidationError, validate } from '../model/validation-error.ts'
import { toLogFields } from '../platform/outage.ts'
import { withTimeout } from '../platform/timeout.ts'
import { findLinkedResponses } from '../store/write/people.ts'
import type { NewDocument } from '../store/write/put.ts'
import { audiences, fillFromAnswers } from './answers.ts'
import {
  mergePerson,
  parseDocument,
  toPersonDocument,
  validatePerson,
  valuesById,
} from './person.ts'
import { checkSize, notAnObject, type Rules } from './rules.ts'

/**
 * Returns the rules for people of a kind by the organisation's schema. The input may be flat or in
 * the form of the API's answers. Fields hidden from the view are unknown in the input and keep
 * their values.
 */
export function personRules(kind: Kind, schema: Schema, view?: AccessPolicy): Rules {
  const kept = view?.hiddenFields(schema.fields)
  const { id: idName } = kinds[kind]
  const Id = z.object({ [idName]: idText() })
  const checked = (
    given: unknown,
    check: (values: Values) => Validated<Values>,
  ): Validated<NewDocument> => {
    if (!isObject(given)) return notAnObject
    const { [idName]: id, ...values } = given
    const checkedId = validate(Id, { [idName]: id })
    const shown = flat(values, schema)
    const person = check(shown.values)
    const errors = [
      ...('errors' in checkedId ? checkedId.errors : []),
      ...shown.errors,
      ...('errors' in person ? person.errors : []),
    ]
    return 'value' in person && errors.length === 0
      ? checkSize(String(id), toPersonDocument(kind, String(id), person.value))
      : { errors }
  }
  return {
    collection: kind,
    id: idName,
    unique: schema.fields
      .filter(({ id, type }) => type === 'uniqueId' && !kept?.has(id))
      .map(({ id }) => id),
    sources: schema.fields.filter(isPostcodeField).map(({ id }) => id),
    // A cleared value is noted, so that older answers do not fill it again.
    dependsOnBefore: true,
    check: (given, before) =>
      checked(given, (values) => validatePerson(kind, schema, values, before, kept)),
    merge: (before, patch) =>
      checked(
        before && isObject(patch) ? { [idName]: before[idName], ...patch } : patch,
        (values) => mergePerson(kind, schema, before, values, kept),
      ),
    named: ({ [idName]: _, ...patch }) => valuesById(schema, flat(patch, schema).values, kept),
    async answered(store, written) {
      const found = await findLinkedResponses(
        store,
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
        const values = fillFromAnswers({ kind, schema }, { id, document, updated }, given)
        return { id, document: JSON.stringify(values) }
      })
    },
    place: (geography, written, before) => placed(geography, schema, written, before),
  }
}

/** Returns people with the areas of their postcodes. Only changed postcodes are looked up. */
async function placed(
  geography: D1Database,
  schema: Schema,
  written: readonly NewDocument[],
  before: ReadonlyMap<string, Values> = new Map(),
): Promise<NewDocument[]> {
  const fields = schema.fields.filter(isPostcodeField).map(({ id }) => id)
  const derived = [...derivedFieldIds(schema.fields), internalKeys.edition]
  const people = written.map(({ id, document }) => {
    const values = parseDocument(document)
    const known = before.get(id)
    const stays = known && fields.every((field) => isSameJson(values[field], known[field]))
    const areas = Object.entries(stays ? known : {}).filter(([key]) => derived.includes(key))
    return { id, stays, values: { ...values, ...Object.fromEntries(areas) } }
  })
  const moved = people.filter(({ stays }) => !stays)
  const values = moved.some(({ values }) => listPostcodes(values, fields).length > 0)
    ? await addAreas(
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

/** Returns the flat values of a person given flat or in the form of the API's answers. */
const flat = (given: Values, schema: Schema) =>
  Array.isArray(given.fields)
    ? fieldsShown(given.fields, given, schema)
    : { values: given, errors: [] }

/**
 * Returns the values of a person in the form of the API's answers, without derived fields, or an
 * error for every value that would be lost.
 */
function fieldsShown(fields: unknown[], shown: Record<string, unknown>, schema: Schema) {
  const { fields: _, schemaInfo, ...beside } = shown
  const derived = derivedFieldIds(schema.fields)
  const errors: ValidationError[] = Object.keys(beside).map((field) => ({
    field,
    message: 'is not a property beside fields.',
    code: 'unknown_field',
  }))
  const values = new Map<string, unknown>()
  for (const [place, field] of fields.entries()) {
    if (!isObject(field) || typeof field.key !== 'string') {
      errors.push({
        field: `fields.${place}`,
        message: 'is not an object with a key.',
        code: 'invalid_type',
      })
    } else if (values.has(field.key)) {
      errors.push({ field: field.key, message: 'appears twice.', code: 'duplicate' })
    } else if (!derived.has(field.key)) {
      values.set(field.key, field.value)
    }
  }
  return { values: Object.fromEntries(values), errors }
}

/**
 * Returns people with the areas of their postcodes (decisions 8) and the edition of the directory.
 * If the directory fails, the error is logged and people are returned unchanged: a later refresh
 * adds the areas.
 */
export async function addAreas(
  geography: D1Database,
  schema: Schema,
  people: readonly Values[],
): Promise<Values[]> {
  const fields = schema.fields.filter(isPostcodeField).map(({ id }) => id)
  if (fields.length === 0) return [...people]
  try {
    const found = await withTimeout(
      lookUpAreas(
        geography,
        people.flatMap((values) => listPostcodes(values, fields)),
      ),
    )
    const { edition } = found
    if (edition === undefined) return [...people]
    return people.map((values) => ({
      ...replaceAreas(values, fields, found),
      [internalKeys.edition]: edition,
    }))
  } catch (error) {
    const fault = error instanceof Error ? toLogFields(error) : undefined
    console.error(JSON.stringify({ geography: 'The directory could not be read.', ...fault }))
    return [...people]
  }
}
