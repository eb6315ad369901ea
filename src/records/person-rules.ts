import type { AccessPolicy } from '../access/access-policy.ts'
import { lookUpAreas } from '../geography/lookup.ts'
import { audiences } from '../model/forms/survey-form.ts'
import { isObject, isSameJson } from '../model/json.ts'
import {
  derivedFieldIds,
  isPostcodeField,
  listPostcodes,
  replaceAreas,
} from '../model/properties/area-fields.ts'
import { isUnique } from '../model/properties/field-types.ts'
import {
  internalKeys,
  type Kind,
  kinds,
  type Schema,
  type Values,
} from '../model/properties/schema.ts'
import { idText } from '../model/properties/types.ts'
import { type Validated, type ValidationError, validate } from '../model/validation-error.ts'
import * as z from '../model/zod.ts'
import { logError } from '../platform/log.ts'
import { findLinkedResponses } from '../store/write/people.ts'
import type { NewDocument } from '../store/write/put.ts'
import { fillFromAnswers } from './answers.ts'
import {
  mergePerson,
  parseDocument,
  toPersonDocument,
  validatePerson,
  valuesById,
} from './person.ts'
import { checkSize, notAnObject, type Rules } from './rules.ts'

/**
 * The rules for people of a kind. Input may be flat or have the form of API responses;
 * fields hidden from the caller are unknown in the input and keep their values.
 */
export function personRules(kind: Kind, schema: Schema, policy?: AccessPolicy): Rules {
  const hidden = policy?.hiddenFields(schema.fields)
  const { id: idName } = kinds[kind]
  const Id = z.object({ [idName]: idText(z) })
  const checkPerson = (
    input: unknown,
    check: (values: Values) => Validated<Values>,
  ): Validated<NewDocument> => {
    if (!isObject(input)) return notAnObject
    const { [idName]: id, ...values } = input
    const checkedId = validate(Id, { [idName]: id })
    const flattened = flatten(values, schema)
    const person = check(flattened.values)
    const errors = [
      ...('errors' in checkedId ? checkedId.errors : []),
      ...flattened.errors,
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
      .filter((field) => isUnique(field) && !hidden?.has(field.id))
      .map(({ id }) => id),
    sources: schema.fields.filter(isPostcodeField).map(({ id }) => id),
    // The document records when a value was cleared, so that older answers do not fill it again.
    dependsOnBefore: true,
    check: (input, before) =>
      checkPerson(input, (values) => validatePerson(kind, schema, values, before, hidden)),
    merge: (before, patch) =>
      checkPerson(
        before && isObject(patch) ? { [idName]: before[idName], ...patch } : patch,
        (values) => mergePerson(kind, schema, before, values, hidden),
      ),
    normalisePatch: ({ [idName]: _, ...patch }) =>
      valuesById(schema, flatten(patch, schema).values, hidden),
    async addAnswers(store, written) {
      const linked = await findLinkedResponses(
        store,
        audiences[kind],
        written.map(({ id }) => id),
      )
      if (!linked) return [...written]
      const responses = Map.groupBy(linked, ({ id }) => id)
      const updated = new Date().toISOString()
      return written.map((person) => {
        const { id, document } = person
        const answers = responses.get(id)
        if (!answers) return person
        const values = fillFromAnswers({ kind, schema }, { id, document, updated }, answers)
        return { id, document: JSON.stringify(values) }
      })
    },
    addAreas: (geography, written, before) => updateAreas(geography, schema, written, before),
  }
}

/** Adds areas to people with postcodes. Looks up only changed postcodes. */
async function updateAreas(
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
    const hasSamePostcodes =
      known && fields.every((field) => isSameJson(values[field], known[field]))
    const knownAreas = Object.entries(hasSamePostcodes ? known : {}).filter(([key]) =>
      derived.includes(key),
    )
    return { id, hasSamePostcodes, values: { ...values, ...Object.fromEntries(knownAreas) } }
  })
  const moved = people.filter(({ hasSamePostcodes }) => !hasSamePostcodes)
  const values = moved.some(({ values }) => listPostcodes(values, fields).length > 0)
    ? await addAreas(
        geography,
        schema,
        moved.map(({ values }) => values),
      )
    : moved.map(({ values }) => values)
  const enrichedById = new Map(moved.map(({ id }, index) => [id, values[index]]))
  return people.map(({ id, values }) => ({
    id,
    document: JSON.stringify(enrichedById.get(id) ?? values),
  }))
}

/** Flattens a person in the form of API responses; returns a flat person unchanged. */
const flatten = (input: Values, schema: Schema) =>
  Array.isArray(input.fields)
    ? flattenFields(input.fields, input, schema)
    : { values: input, errors: [] }

/**
 * Flattens a person in the form of API responses, without derived fields. Returns an error for each
 * value that would be lost.
 */
function flattenFields(fields: unknown[], person: Record<string, unknown>, schema: Schema) {
  const { fields: _, schemaInfo, ...beside } = person
  const derived = derivedFieldIds(schema.fields)
  const errors: ValidationError[] = Object.keys(beside).map((field) => ({
    field,
    message: 'is not a property beside fields.',
    code: 'unknown_field',
  }))
  const values = new Map<string, unknown>()
  for (const [index, field] of fields.entries()) {
    if (!isObject(field) || typeof field.key !== 'string') {
      errors.push({
        field: `fields.${index}`,
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
 * Adds areas, and the edition of the postcode directory, to people with postcodes. If the
 * directory fails, logs the error and returns people unchanged: a later refresh adds the areas.
 */
export async function addAreas(
  geography: D1Database,
  schema: Schema,
  people: readonly Values[],
): Promise<Values[]> {
  const fields = schema.fields.filter(isPostcodeField).map(({ id }) => id)
  if (fields.length === 0) return [...people]
  try {
    const areas = await lookUpAreas(
      geography,
      people.flatMap((values) => listPostcodes(values, fields)),
    )
    const { edition } = areas
    if (edition === undefined) return [...people]
    return people.map((values) => ({
      ...replaceAreas(values, fields, areas),
      [internalKeys.edition]: edition,
    }))
  } catch (error) {
    logError('geography', {}, error)
    return [...people]
  }
}
