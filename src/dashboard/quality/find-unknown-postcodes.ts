import { isErrorOf } from '../../model/api-error.ts'
import { isPostcodeField } from '../../model/properties/area-fields.ts'
import {
  type Field,
  type Kind,
  kindNames,
  parseStoredSchema,
} from '../../model/properties/schema.ts'
import type { Predicate } from '../../model/query/predicate.ts'
import { openBudget } from '../../store/query/query-reader.ts'
import { readVisibleSchemas } from '../../store/read/single.ts'
import { readTermCounts } from '../../store/read/term-counts.ts'
import type { Store } from '../../store/store.ts'
import { readMatched } from '../../store/summary/read-matched.ts'
import type { Check } from './check.ts'

/** Finds the people with a postcode and no ward. Lists have no filter for any postcode, so there is no link. */
export const findUnknownPostcodes: Check['find'] = async ({ c, collection }) => {
  const { kind, fields, label: people } = collection
  const postcodes = fields.filter(isPostcodeField)
  if (!kind || postcodes.length === 0 || !(await hasWards(c.var.store))) return []
  return Promise.all(
    postcodes.map(async (field) => ({
      label: `${people}: ${field.label}`,
      count: await countWithoutWard(c.var.store, kind, field),
      href: undefined,
    })),
  )
}

const wardOf = ({ id }: Field) => `${id}.ward`

/** Whether anybody of the organisation has a ward. Otherwise the operator has loaded no postcodes, and all are unknown. */
async function hasWards(store: Store): Promise<boolean> {
  const schemas = await readVisibleSchemas(store, kindNames)
  for (const kind of kindNames) {
    const wards = parseStoredSchema(schemas[kind]).fields.filter(isPostcodeField).map(wardOf)
    const terms = wards.length > 0 ? await readTermCounts(store, kind, wards) : undefined
    if (terms && terms.fields.size > 0) return true
  }
  return false
}

/** Counts the people with a postcode and without its ward. Undefined if there are too many to read. */
async function countWithoutWard(
  store: Store,
  kind: Kind,
  field: Field,
): Promise<number | undefined> {
  const predicate: Predicate = {
    field: { path: [wardOf(field)], isList: false },
    operator: 'eq',
    value: null,
  }
  const budget = openBudget(store, 'There are too many people.')
  try {
    const postcode = { path: [field.id], isList: false }
    const columns = await readMatched(store, kind, [postcode], { predicate, budget })
    const counts = columns.flatMap((column) => [...column.countRecords().values()])
    return counts.reduce((total, count) => total + count, 0)
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST')) return undefined
    throw error
  }
}
