import type { ValidationError } from '../../model/validation-error.ts'

/** ErrorCollector by the field of the form that they are shown at. */
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
