import type { Collection } from '../../model/collection.ts'
import { compileFields, compileRecord, type Property } from '../../model/properties/compile.ts'
import type { Field } from '../../model/properties/schema.ts'
import { valueTypes } from '../../model/properties/value-types.ts'

/** A property as pages and forms show it. */
export type ShownProperty = Property & {
  /** Whether forms include it. Ids, derived values and lists of objects are read-only. */
  isEditable: boolean
}

const areasSection = 'Areas'

/** The properties of people from the fields of their schema. Areas form the last section. */
export function showFields(fields: readonly Field[]): ShownProperty[] {
  const properties = compileFields(fields)
  return [
    ...properties.filter(({ isDerived }) => !isDerived),
    ...properties
      .filter(({ isDerived }) => isDerived)
      .map((property) => ({ ...property, section: areasSection })),
  ].map((property) => ({ ...property, isEditable: !property.isDerived }))
}

/** The properties of a structured collection. */
export const showRecord = ({ record, id, counted = [] }: Collection): ShownProperty[] =>
  compileRecord(record).leaves.map((property) => ({
    ...property,
    isEditable:
      valueTypes[property.type].control !== undefined &&
      ![id, ...readOnlyNames].includes(property.path.at(-1) ?? '') &&
      !counted.includes(property.name),
  }))

const readOnlyNames = ['managedBy', 'created', 'updated']
