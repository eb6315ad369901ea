import type * as Zod from 'zod'
import type { ValueType } from './value-types.ts'

/*
 * The description of a record: the names, value types and Zod types of its properties. Zod types are built from the
 * module that the caller passes: reads do not load Zod, which would take longer than the rest of a first read.
 */

/** The functions of Zod with which a property builds its type. */
export type Z = typeof import('./zod.ts')

/** The type of a property with a value. */
export type ValueProperty<Schema extends Zod.ZodType = Zod.ZodType> = {
  type: ValueType
  description: string
  isRequired: boolean
  /** The value if the input omits the property; undefined for a required one. */
  emptyValue: unknown
  options?: readonly string[]
  /** The properties of a list's objects. */
  items?: Properties
  build: (z: Z) => Schema
}

/** The type of a property with properties of its own. */
type ObjectProperty<Schema extends Zod.ZodType = Zod.ZodType> = {
  properties: Properties
  build: (z: Z) => Schema
}

/** Properties by name. */
export type Properties = Readonly<Record<string, ValueProperty | ObjectProperty>>

/** The type of a record. */
export type RecordProperties<P extends Properties = Properties> = { id: string; properties: P }

/** The Zod types of properties by name. */
export type Shape<P extends Properties> = { [Name in keyof P]: ReturnType<P[Name]['build']> }

/** The values of a record. */
export type RecordValues<R extends RecordProperties> = Zod.output<
  Zod.ZodObject<Shape<R['properties']>>
>

/** The Zod types of properties by name. */
export const buildShape = <P extends Properties>(z: Z, properties: P) =>
  // The entries have the names of `properties`, which Object.fromEntries does not know.
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, property.build(z)]),
  ) as Shape<P>
