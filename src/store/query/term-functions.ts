import { type FieldFunction, fieldFunctionNames } from '../../model/query/field-functions.ts'

/*
 * Runs the functions of `$filter` in SQL: `tolower(name) eq 'lunch'` compares lower(value) of each term of
 * `name` instead of its value. One statement reads the terms of all comparisons of a filter, and a column
 * names the function of each. So the SQL is the same for every filter: one CASE with a branch for each function.
 */

type TermFunction = {
  /**
   * Takes SQL for a text, and returns SQL for the result of the function. It must read all of a text with a NUL character: `lower` does,
   * but `length` and `substr` stop there.
   */
  apply: (text: string) => string
  /** Whether it changes each character by itself: the result for the beginning of a text is then the beginning of the result. */
  isByCharacter?: true
}

const termFunctions: Readonly<Record<FieldFunction, TermFunction>> = {
  tolower: { apply: (text) => `lower(${text})`, isByCharacter: true },
}

export const isByCharacter = (name: FieldFunction): boolean =>
  termFunctions[name].isByCharacter === true

/**
 * SQL that applies the function that a column names to a text, or returns the text if the column is NULL.
 * Texts are returned as blobs, because operators apply `length` and `substr` to them, which stop at a NUL character
 * in a text but not in a blob.
 */
export const applyFunction = (nameColumn: string, text: string): string => `CASE ${nameColumn}
  ${fieldFunctionNames.map((name) => `WHEN '${name}' THEN ${resultOf(name, text)}`).join('\n  ')}
  ELSE CAST(${text} AS BLOB) END`

// In the index, the beginning of a long text is a blob.
const resultOf = (name: FieldFunction, text: string) =>
  `CAST(${termFunctions[name].apply(`CAST(${text} AS TEXT)`)} AS BLOB)`

/** SQL for a value in a JSON text, with texts as blobs: a comparison's pattern, to compare with a result of `applyFunction`. */
export const patternAt = (json: string, path: string): string =>
  `iif(json_type(${json}, '${path}') = 'text', CAST(${json} ->> '${path}' AS BLOB), ${json} ->> '${path}')`
