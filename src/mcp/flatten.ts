import { valueAt } from '../model/json.ts'

type NamedPath = { path: readonly string[]; name: string }

/** The values of a document by name, as filters name them. Leaves out missing and empty values. */
export function flatten(columns: readonly NamedPath[], document: string): Record<string, unknown> {
  const record: unknown = JSON.parse(document)
  return Object.fromEntries(
    columns.flatMap(({ path, name }): [string, unknown][] => {
      const value = valueAt(record, path)
      return isEmpty(value) ? [] : [[name, value]]
    }),
  )
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
