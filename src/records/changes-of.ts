import type { View } from '../limits/view.ts'
import { ApiError } from '../model/api-error.ts'
import type { Fault } from '../model/checked.ts'
import { sameJson } from '../model/same-json.ts'
import type { Schema, Values } from '../model/schema.ts'
import type { Written } from '../store/put.ts'
import type { Kept } from '../store/single.ts'
import { indexedValues, maxValuesWritten } from './bounds.ts'
import { type Change, refusal } from './checks.ts'
import type { Rules } from './rules.ts'
import type { Intent } from './target.ts'

/** What the intents become, in their order. Throws 400 with every fault, or where the changes have too many values. */
export async function changesOf(
  geography: D1Database,
  by: { rules: Rules; schema: Schema; view: View },
  intents: readonly Intent[],
  kept: ReadonlyMap<string, Kept>,
): Promise<Change[]> {
  const before = new Map<string, Values>(
    [...kept].map(([id, { document }]) => [id, JSON.parse(document)]),
  )
  const faults: Fault[] = []
  const written: Written[] = []
  const places = new Map<string, string>()
  for (const { id, place, check } of intents) {
    const made = check(by, before.get(id))
    const found = 'faults' in made ? made.faults : []
    const earlier = places.get(id)
    if (earlier !== undefined && id !== '')
      found.push({ field: by.rules.id, reason: `is that of ${earlier.slice(0, -1)} too.` })
    places.set(id, place)
    faults.push(...found.map(({ field, reason }) => ({ field: named(place, field), reason })))
    if ('kept' in made) written.push(made.kept)
  }
  if (faults.length > 0) throw refusal(faults)
  const placed = (await by.rules.place?.(geography, written, before)) ?? written
  const changes = placed.map((written, at): Change => {
    const { id, document } = written
    const values: Values = JSON.parse(document)
    const place = intents[at]?.place ?? ''
    const known = before.get(id)
    return { place, written, values, before: known, differs: !known || !sameJson(values, known) }
  })
  const valuesWritten = changes
    .filter(({ differs }) => differs)
    .reduce((sum, it) => sum + indexedValues(it.values) + indexedValues(it.before ?? {}), 0)
  if (valuesWritten > maxValuesWritten) throw tooManyValues()
  return changes
}

const tooManyValues = () =>
  new ApiError(
    'BAD_REQUEST',
    `One request may change records of at most ${maxValuesWritten.toLocaleString('en-GB')} values, counted before and after the change: send the records in several requests.`,
  )

const named = (place: string, field: string) => (field ? place + field : place.slice(0, -1))
