import type * as z from 'zod'
import { ApiError } from '../../model/api-error.ts'
import { toValidationErrors, type ValidationError } from '../../model/validation-error.ts'

/** The values of a form by field: text, or a list for checkboxes. */
export type FieldValues = Readonly<Record<string, string | readonly string[]>>

/** Error messages by field. A message follows the field's label, such as "must be a date." */
export type FieldErrors = Readonly<Record<string, string | undefined>>

/** The names of the fields of a control, and those of them with several values. */
export type FieldNames = { names: readonly string[]; lists?: readonly string[] }

/** The values of a submitted form: texts with Unix line ends, and lists. */
export const parseFieldValues = (
  controls: readonly FieldNames[],
  submitted: Readonly<Record<string, unknown>>,
): FieldValues =>
  Object.fromEntries(
    controls.flatMap(({ names, lists = [] }) =>
      names.map((name) => {
        const texts = [submitted[name] ?? []].flat().map(String)
        return [name, lists.includes(name) ? texts : (texts.at(-1) ?? '').replaceAll('\r\n', '\n')]
      }),
    ),
  )

/** The texts of submitted fields with Unix line ends, without spaces around them. */
export const readTexts = <Name extends string>(
  names: readonly Name[],
  submitted: Readonly<Record<string, unknown>>,
): Record<Name, string> =>
  // `fromEntries` forgets which names there are.
  Object.fromEntries(
    names.map((name) => [
      name,
      String(submitted[name] ?? '')
        .replaceAll('\r\n', '\n')
        .trim(),
    ]),
  ) as Record<Name, string>

/** The text of a field. */
export const textOf = (values: FieldValues, name: string): string =>
  [values[name] ?? ''].flat().join('\n')

/** The values of a field, without empty ones. */
export const textsOf = (values: FieldValues, name: string): string[] =>
  [values[name] ?? []].flat().filter((text) => text !== '')

/** Whether any field has an error. */
export const hasErrors = (errors: FieldErrors): boolean =>
  Object.values(errors).some((message) => message !== undefined)

/** Validates the values of a form. `toFieldName` maps an error's path to a field. */
export function validateForm<Value>(
  schema: z.ZodType<Value>,
  values: unknown,
  toFieldName?: (path: string) => string,
): { value: Value } | { errors: FieldErrors } {
  const result = schema.safeParse(values)
  if (result.success) return { value: result.data }
  return { errors: groupErrorsByField(toValidationErrors(result.error, values), toFieldName) }
}

/** Joins error messages by form field. `toFieldName` maps an error's path to a form field. */
export function groupErrorsByField(
  errors: readonly ValidationError[],
  toFieldName = firstSegment,
): Record<string, string> {
  const errorsByField = Map.groupBy(errors, ({ field }) => toFieldName(field))
  return Object.fromEntries(
    [...errorsByField].map(([field, fieldErrors]) => [
      field,
      fieldErrors.map(({ message }) => message).join(' '),
    ]),
  )
}

const firstSegment = (path: string) => path.split('.')[0] ?? ''

/** Parses the values that the form was rendered with and sends back. Throws 400 if they are missing or invalid. */
export function parseRenderedValues<Values>(schema: z.ZodType<Values>, text: unknown): Values {
  try {
    return schema.parse(JSON.parse(String(text)))
  } catch {
    throw new ApiError('BAD_REQUEST', 'Part of the form is missing. Open it again.')
  }
}

/** The error of a field that somebody else changed in the meantime. */
export const describeConflict = (currentValue: string) =>
  `Somebody else changed this to: ${currentValue || '(empty)'}`
