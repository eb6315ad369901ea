import { withoutDerivedFields } from '../model/properties/area-fields.ts'
import { isUnique } from '../model/properties/field-types.ts'
import { fieldValueType } from '../model/properties/field-value-type.ts'
import { internalKeys, type Kind, type Schema, type Values } from '../model/properties/schema.ts'
import { isEmptyValue, parseDocument, withPostcodeKeys } from './person.ts'
import { checkSize } from './rules.ts'

/** A stored survey response. */
type Response = {
  date: string | null
  responses: readonly { questionId: string; response: unknown }[]
}

/**
 * Fills a person's values from responses; documents are JSON texts. Returns the values unchanged if
 * the record would become too large.
 */
export function fillFromAnswers(
  { kind, schema }: { kind: Kind; schema: Schema },
  person: { id: string; document: string; updated: string },
  responses: readonly { document: string }[],
): Values {
  const parsed = responses.map(({ document }): Response => JSON.parse(document))
  const before = parseDocument(person.document)
  const merged = withAnswers(before, person.updated, schema, parsed)
  const values = withPostcodeKeys(kind, schema, merged)
  return 'value' in checkSize(person.id, values) ? values : before
}

/**
 * Fills a person's fields with the latest valid answers to their questions. An answer
 * must be newer than the previous answer, the clearing of the field, or the value as of `updated`.
 */
function withAnswers(
  values: Values,
  updated: string,
  schema: Schema,
  responses: readonly Response[],
): Values {
  const fields = new Map(answerable(schema).map((field) => [field.id, field]))
  const dates = new Map(
    Object.entries((values[internalKeys.answerDates] ?? {}) as Record<string, string>),
  )
  const merged = new Map(Object.entries(values))
  const dated = responses.map((response) => ({ ...response, date: response.date ?? '' }))
  for (const { date, responses } of dated.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    for (const { questionId, response } of responses) {
      const field = fields.get(questionId)
      const known = dates.get(questionId) ?? (merged.has(questionId) ? updated : undefined)
      if (!field || isEmptyValue(response) || (known !== undefined && date <= known)) continue
      if (!fieldValueType(field).safeParse(response).success) continue
      merged.set(questionId, response)
      dates.set(questionId, date)
    }
  }
  if (dates.size > 0) merged.set(internalKeys.answerDates, Object.fromEntries(dates))
  return Object.fromEntries(merged)
}

// Two people may give the same answer, but cannot have the same unique id.
const answerable = ({ fields }: Schema) =>
  withoutDerivedFields(fields).filter((field) => !isUnique(field))
