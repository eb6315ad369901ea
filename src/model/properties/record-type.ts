import {
  buildShape,
  type Properties,
  type RecordProperties,
  type Shape,
} from '../record-properties.ts'
import * as z from '../zod.ts'

const recordTypes = new WeakMap<RecordProperties, z.ZodObject>()

/** The Zod type of a record. It is cached, because files and lists have many records. */
export function recordType<P extends Properties>(
  record: RecordProperties<P>,
): z.ZodObject<Shape<P>, z.core.$strict> {
  const type =
    recordTypes.get(record) ??
    z.strictObject(buildShape(z, record.properties)).meta({ id: record.id })
  recordTypes.set(record, type)
  // The map cannot know which record has which properties.
  return type as z.ZodObject<Shape<P>, z.core.$strict>
}
