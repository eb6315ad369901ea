import type { ValidationError } from '../../model/validation-error.ts'

/** Joins the messages of each form field. `toFieldName` turns an error's path into the name of a form field. */
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
