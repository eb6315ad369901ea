import { lookUpAreas } from '../geography/lookup.ts'
import { isPostcodeField, listPostcodes, replaceAreas } from '../model/properties/area-fields.ts'
import { internalKeys, type Schema, type Values } from '../model/properties/schema.ts'
import { toLogFields } from '../platform/outage.ts'
import { withTimeout } from '../platform/timeout.ts'

/**
 * Returns people with the areas of their postcodes (decisions 8) and the edition of the directory.
 * If the directory fails, the error is logged and people are returned unchanged: a later refresh
 * adds the areas.
 */
export async function addAreas(
  geography: D1Database,
  schema: Schema,
  people: readonly Values[],
): Promise<Values[]> {
  const fields = schema.fields.filter(isPostcodeField).map(({ id }) => id)
  if (fields.length === 0) return [...people]
  try {
    const found = await withTimeout(
      lookUpAreas(
        geography,
        people.flatMap((values) => listPostcodes(values, fields)),
      ),
    )
    const { edition } = found
    if (edition === undefined) return [...people]
    return people.map((values) => ({
      ...replaceAreas(values, fields, found),
      [internalKeys.edition]: edition,
    }))
  } catch (error) {
    const fault = error instanceof Error ? toLogFields(error) : undefined
    console.error(JSON.stringify({ geography: 'The directory could not be read.', ...fault }))
    return [...people]
  }
}
