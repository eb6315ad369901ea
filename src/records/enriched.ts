import { isPostcodeField, postcodesOf, withAreas } from '../geography/enrichment.ts'
import { lookUp } from '../geography/lookup.ts'
import { hidden } from '../model/hidden-keys.ts'
import type { Schema, Values } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { loggable } from '../platform/outage.ts'

/**
 * People with the areas of their postcodes (decisions 8), and the edition that says so. A directory
 * that cannot be read is logged and leaves them as they are: a refresh makes up for it.
 */
export async function enriched(
  geography: D1Database,
  schema: Schema,
  people: readonly Values[],
): Promise<Values[]> {
  const fields = schema.fields.filter(isPostcodeField).map(({ id }) => id)
  if (fields.length === 0) return [...people]
  try {
    const found = await inTime(
      lookUp(
        geography,
        people.flatMap((values) => postcodesOf(values, fields)),
      ),
    )
    const { edition } = found
    if (edition === undefined) return [...people]
    return people.map((values) => ({
      ...withAreas(values, fields, found),
      [hidden.edition]: edition,
    }))
  } catch (error) {
    const fault = error instanceof Error ? loggable(error) : undefined
    console.error(JSON.stringify({ geography: 'The directory could not be read.', ...fault }))
    return [...people]
  }
}
