import type { Scalar } from '../../model/query/predicate.ts'
import { readTermCounts, type TermCounts } from '../../store/read/term-counts.ts'
import { type Check, locate } from './check.ts'

/** Finds the records of a collection without a value in a property, which must not be a list. */
export const findWithoutValue =
  (name: string, propertyName: string): Check['find'] =>
  async (inspected) => {
    const { c, collection } = inspected
    const property = collection.properties.find((candidate) => candidate.name === propertyName)
    if (collection.name !== name || !property) return []
    const terms = await readTermCounts(c.var.store, name, [propertyName])
    const known = sum(terms?.fields.get(propertyName), (value) => value !== '')
    return [
      { ...locate(inspected, { property, values: [''] }), count: terms && terms.total - known },
    ]
  }

/** The maximum number of values that a filter names. */
const maxNamed = 50

/** Finds the values of people that are not among the options of their field. */
export const findOutsideOptions: Check['find'] = async (inspected) => {
  const { c, collection } = inspected
  const properties = collection.kind
    ? collection.properties.filter(({ options }) => options !== undefined)
    : []
  if (properties.length === 0) return []
  const names = properties.map((property) => property.name)
  const terms = await readTermCounts(c.var.store, collection.name, names)
  return properties.map((property) => {
    const options = new Set<Scalar>(property.options?.map(({ value }) => value))
    const isOutside = (value: Scalar) => value !== '' && !options.has(value)
    const counts = terms?.fields.get(property.name) ?? []
    const values = counts.filter(({ value }) => isOutside(value)).map(({ value }) => String(value))
    return {
      ...locate(inspected, { property, values: values.slice(0, maxNamed) }),
      count: terms && sum(counts, isOutside),
      note:
        values.length > maxNamed
          ? `The list of ${property.label} shows ${maxNamed} of the ${values.length} values.`
          : undefined,
    }
  })
}

const sum = (counts: TermCounts = [], passes: (value: Scalar) => boolean): number =>
  counts.reduce((total, { value, count }) => total + (passes(value) ? count : 0), 0)
