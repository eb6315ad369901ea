import { canonicalName } from '../mapping/heading-names.ts'
import type { TargetField } from '../mapping/target-fields.ts'

/** A function that returns the name in a row's values by their paths; '' if it has none. */
export function createRowNamer(
  targetFields: readonly TargetField[],
): (values: ReadonlyMap<string, unknown>) => string {
  const pathsOf = (...names: string[]) =>
    names.flatMap(
      (name) =>
        targetFields.find((targetField) =>
          targetField.names.some((candidate) => canonicalName(candidate) === name),
        )?.path ?? [],
    )
  const namePaths = [pathsOf('Full Name'), pathsOf('First Name', 'Surname')]
  return (values) =>
    namePaths
      .map((paths) => paths.flatMap((path) => textOf(values.get(path))).join(' '))
      .find((name) => name !== '') ?? ''
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? [value] : [])
