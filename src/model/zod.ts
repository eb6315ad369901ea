/*
 * The functions of Zod with which properties build their types. A namespace that is passed to a function keeps all its
 * exports in the bundle, and that of `zod` has the messages of forty languages: whoever passes `z` imports this module.
 */

export type { core, ZodObject, ZodType } from 'zod'
export {
  array,
  boolean,
  custom,
  email,
  enum,
  int,
  iso,
  literal,
  never,
  null,
  number,
  object,
  optional,
  preprocess,
  record,
  strictObject,
  string,
  union,
  unknown,
} from 'zod'
