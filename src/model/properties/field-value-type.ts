import type { Option } from '../value-types.ts'
import * as z from '../zod.ts'
import { type FieldType, fieldTypes } from './field-types.ts'

type TypedField = { type: FieldType; options?: readonly Option[] | undefined }

const plainTypes = new Map<FieldType, z.ZodType>()
const typesByOptions = new WeakMap<readonly Option[], Map<FieldType, z.ZodType>>()

/** The Zod type of a field's values. It is cached, because a file has many values of a field. */
export function fieldValueType({ type, options }: TypedField): z.ZodType {
  const types = options ? (typesByOptions.get(options) ?? new Map()) : plainTypes
  if (options) typesByOptions.set(options, types)
  const valueType = types.get(type) ?? fieldTypes[type].check(z, options)
  types.set(type, valueType)
  return valueType
}
