import { type Reference, references } from '../references.ts'
import { isKind, type Kind } from './schema.ts'

/** The references of a collection to people. */
export const referencesToPeople = (collection: string) =>
  references.filter(
    (reference): reference is Reference & { to: Kind } =>
      reference.from === collection && isKind(reference.to),
  )
