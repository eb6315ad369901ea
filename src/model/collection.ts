import * as z from 'zod'

/** A kind of record: what it is called in paths, envelopes and documents, and what it holds. */
export type Collection<Item extends z.ZodObject = z.ZodObject> = {
  /** Its segment of the path; also the name of its records in the store and of a file to import. */
  name: string
  /** The keys of its list envelope and of its single's. */
  plural: string
  singular: string
  /** The property that holds a record's id. */
  id: string
  /** A whole record, as it is written, kept and shown alone. */
  record: z.ZodObject
  /** A record as lists show it. */
  item: Item
  /** The properties that `prepare` works out of each other and of the record kept so far. */
  counted?: readonly string[]
  /** What is worked out of a record as it was given, before it is checked, in place of the one kept so far. */
  prepare?: (
    given: Record<string, unknown>,
    before?: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
}

/** The JSON paths of what `record` has and `item` leaves out. */
export function omittedPaths(record: z.ZodType, item: z.ZodType, path = '$'): string[] {
  const whole = shapeOf(record)
  const part = shapeOf(item)
  if (!whole || !part) return []
  return Object.entries(whole).flatMap(([name, property]) => {
    const shown = part[name]
    return shown ? omittedPaths(property, shown, `${path}.${name}`) : [`${path}.${name}`]
  })
}

/** The dotted paths of what a record has, as far as filters reach: not into the objects of a list. */
export const propertyPaths = (record: z.ZodType, above = ''): string[] =>
  Object.entries(shapeOf(record) ?? {}).flatMap(([name, property]) => [
    above + name,
    ...propertyPaths(property, `${above}${name}.`),
  ])

/** The properties of an object type, also of one that has a default. */
export function shapeOf(type: z.core.$ZodType): Record<string, z.ZodType> | undefined {
  if (type instanceof z.ZodObject) return type.shape
  if (type instanceof z.ZodPipe) return shapeOf(type.out)
  if (type instanceof z.ZodPrefault || type instanceof z.ZodDefault) return shapeOf(type.unwrap())
  return undefined
}
