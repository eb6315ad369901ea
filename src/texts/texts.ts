import { enGB } from './en-GB.ts'

/** All that people read on the public pages and in letters. A translation is another object of this type. */
export type Texts = typeof enGB

/** The texts in the language of this installation. */
export const texts: Texts = enGB
