import {
  type FieldFunction,
  fieldFunctionNames,
  fieldFunctions,
} from '../../model/query/field-functions.ts'

/** How SQL applies a function of `$filter` to a text. */
type TermFunction = {
  apply: (text: string) => string
  /** Whether it converts each character by itself, so that the beginning of a text gives the beginning of the result. */
  isByCharacter?: true
}

const termFunctions: Readonly<Record<FieldFunction, TermFunction>> = {
  tolower: { apply: (text) => `lower(${text})`, isByCharacter: true },
}

export const isByCharacter = (name: FieldFunction): boolean =>
  termFunctions[name].isByCharacter === true

/**
 * SQL for the result of the function in a column, or without one the text itself. Texts are blobs, because
 * SQL's functions of texts stop at a NUL character.
 */
export const applyFunction = (column: string, text: string): string => `CASE ${column}
  ${fieldFunctionNames.map((name) => `WHEN '${name}' THEN ${resultOf(name, text)}`).join('\n  ')}
  ELSE CAST(${text} AS BLOB) END`

function resultOf(name: FieldFunction, text: string): string {
  const result = termFunctions[name].apply(`CAST(${text} AS TEXT)`)
  return fieldFunctions[name].converts ? result : `CAST(${result} AS BLOB)`
}

/** SQL for the pattern at a path of a JSON text, as `applyFunction` returns texts. */
export const patternAt = (json: string, path: string): string =>
  `iif(json_type(${json}, '${path}') = 'text', CAST(${json} ->> '${path}' AS BLOB), ${json} ->> '${path}')`
