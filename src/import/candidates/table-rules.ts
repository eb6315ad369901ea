import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { fieldTypes } from '../../model/properties/field-types.ts'
import type { Field, Kind, Schema } from '../../model/properties/schema.ts'
import { toValidationErrors, type ValidationError } from '../../model/validation-error.ts'
import { parseSchema } from '../../records/schema/schema.ts'
import { responsesCollection } from '../mapping/form-targets.ts'
import { canonicalName, normaliseHeading } from '../mapping/heading-names.ts'
import { listTargetFields } from '../mapping/inspect-file.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { TargetField } from '../mapping/target-fields.ts'
import { loadTarget } from '../targets/load-target.ts'
import { findOpenSchema, type Schemas } from '../targets/open-schema.ts'
import type { ImportTarget } from '../targets/target.ts'
import { createAnswerTarget } from './form-answers.ts'

/** The mapping of a table, and the fields, target and schemas that it uses. */
export type TableRules = {
  mapping: Mapping
  targetFields: readonly TargetField[]
  target: ImportTarget
  /** The fields of the collection's schema; none if its properties are fixed. */
  fields: readonly Field[]
  schemas: Schemas
}

/** Builds the rules for a mapping, and the new schema if the mapping adds fields. Returns errors if that schema is invalid or a field does not exist. */
export async function buildTableRules(
  mapping: Mapping,
  organisationId: string,
  schemas: Schemas,
  forms: () => Promise<readonly SurveyForm[]> = async () => [],
): Promise<{ rules: TableRules; schema?: SchemaAddition } | { errors: ValidationError[] }> {
  const { collection } = mapping
  const addition = extendSchema(schemas, mapping)
  if (addition && 'errors' in addition) return addition
  const allSchemas = addition ? { ...schemas, [addition.kind]: addition.schema } : schemas
  const hasForm = collection === responsesCollection && mapping.same.surveyId !== undefined
  const form = hasForm
    ? (await forms()).find(({ formId }) => formId === mapping.same.surveyId)
    : undefined
  const target = await loadTarget(collection, organisationId, allSchemas)
  if (!target)
    return {
      errors: [{ field: collection, message: 'have no schema yet.', code: 'not_found' }],
    }
  const targetFields = await listTargetFields(collection, allSchemas, form)
  const paths = new Set(targetFields.map(({ path }) => path))
  const namedFields = [
    ...mapping.columns.map(({ field }, index) => ({ name: `columns.${index}.field`, field })),
    ...Object.keys(mapping.same).map((field) => ({ name: `same.${field}`, field })),
  ]
  const errors: ValidationError[] = namedFields.flatMap(({ name, field }) =>
    field === null || paths.has(field)
      ? []
      : [
          {
            field: name,
            message: `${field} is no field or property of ${collection}.`,
            code: 'unknown_field' as const,
          },
        ],
  )
  const match = mapping.match.map((name) => ({
    name,
    field: findMatchField(name, mapping, targetFields),
  }))
  for (const { name, field } of match) {
    const message = `${name} is no field that a column of the file gives.`
    if (field === undefined) errors.push({ field: 'match', message, code: 'unknown_field' })
  }
  if (errors.length > 0) return { errors }
  const resolvedMapping = { ...mapping, match: match.flatMap(({ field }) => field ?? []) }
  return {
    rules: {
      mapping: resolvedMapping,
      targetFields,
      target: collection === responsesCollection ? createAnswerTarget(target) : target,
      fields: findOpenSchema(collection, allSchemas)?.schema?.fields ?? [],
      schemas: allSchemas,
    },
    ...(addition && { schema: addition }),
  }
}

/** The field with a name to match people by. Also accepts common names, such as `email`. */
function findMatchField(
  name: string,
  { columns }: Mapping,
  targetFields: readonly TargetField[],
): string | undefined {
  const mappedFields = targetFields.filter(({ path }) =>
    columns.some(({ field }) => field === path),
  )
  const isCalled = ({ names }: TargetField) =>
    names.some((candidate) => normaliseHeading(candidate) === normaliseHeading(name))
  const hasCanonicalName = ({ names }: TargetField) =>
    canonicalName(name) !== undefined &&
    names.some((candidate) => canonicalName(candidate) === canonicalName(name))
  return (mappedFields.find(isCalled) ?? mappedFields.find(hasCanonicalName))?.path
}

type SchemaAddition = { kind: Kind; schema: Schema }

function extendSchema(
  schemas: Schemas,
  { collection, fields, options = {} }: Mapping,
): SchemaAddition | { errors: ValidationError[] } | undefined {
  const open = findOpenSchema(collection, schemas)
  if (!open) return undefined
  const { kind, schema: before } = open
  const existingIds = new Set(before?.fields.map(({ id }) => id))
  const added = fields.filter(({ id }) => !existingIds.has(id))
  const existing = (before?.fields ?? []).map((field) => addOptions(field, options[field.id]))
  const isChanged = existing.some((field, index) => field !== before?.fields[index])
  if (before && added.length === 0 && !isChanged) return undefined
  const lastOrder = Math.max(-1, ...(before?.fields.map(({ order }) => order) ?? []))
  const input = {
    ...(before && { name: before.name }),
    fields: [
      ...existing,
      ...added.map((field, index) => ({ order: lastOrder + 1 + index, ...field })),
    ],
  }
  const result = parseSchema(kind, input)
  return result.success
    ? { kind, schema: result.data }
    : { errors: toValidationErrors(result.error, input) }
}

/** A field with further options, or the field itself if it has them or takes none. */
function addOptions(field: Field, values: readonly string[] = []): Field {
  const before = field.options ?? []
  const added = values.filter((value) => !before.some((option) => option.value === value))
  if (added.length === 0 || !fieldTypes[field.type].options) return field
  return { ...field, options: [...before, ...added.map((value) => ({ value, label: value }))] }
}
