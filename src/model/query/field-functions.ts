import { foldCase } from './compare-texts.ts'

/** The functions of `$filter` that a comparison applies to its field, by their names in OData 4.01. */
export const fieldFunctionNames = ['tolower'] as const

export type FieldFunction = (typeof fieldFunctionNames)[number]

type FieldFunctionRules = {
  /** The result for a text. It also applies to the text that the field is compared with. */
  apply: (text: string) => string
  /** A condition that shows assistants the syntax. */
  example: string
}

/**
 * The results of the functions for values in memory. How the index finds the same records is in
 * `src/store/query/term-functions.ts`.
 */
export const fieldFunctions: Readonly<Record<FieldFunction, FieldFunctionRules>> = {
  tolower: { apply: foldCase, example: "tolower(field) eq 'x'" },
}
