import { isKind, type Kind, type Schema } from '../../model/properties/schema.ts'

/** An organisation's schemas of people. */
export type Schemas = Partial<Record<Kind, Schema>>

/** A schema to which a file can add fields and options. */
export type OpenSchema = { kind: Kind; schema: Schema | undefined }

/** The schema of a collection; undefined if the properties of its records are fixed. */
export const findOpenSchema = (collection: string, schemas: Schemas): OpenSchema | undefined =>
  isKind(collection) ? { kind: collection, schema: schemas[collection] } : undefined
