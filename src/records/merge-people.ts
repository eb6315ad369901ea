import { requireUnrestricted } from '../access/credential.ts'
import type { Versions } from '../http/etags.ts'
import { checkPreconditions } from '../http/preconditions.ts'
import { invalidField, invalidInput } from '../model/api-error.ts'
import { formatRecordCount, notFound } from '../model/collection.ts'
import {
  internalKeys,
  isInternalKey,
  type Kind,
  parseStoredSchema,
  type Values,
} from '../model/properties/schema.ts'
import { formatNumber } from '../platform/format-number.ts'
import { readBeforeWrite } from '../store/write/before-write.ts'
import type { IdempotentRequest } from '../store/write/idempotency.ts'
import { commitMerge } from '../store/write/merge-people.ts'
import { maxCascade } from '../store/write/referrers.ts'
import { fieldPath, UniqueChecks } from './changes.ts'
import { fillFromResponses } from './fill-people.ts'
import { isEmptyValue, parseDocument } from './person.ts'
import { retryWhileChanged } from './retry.ts'
import { checkWithId, type RecordType } from './rules.ts'
import { rulesFor } from './rules-for.ts'
import { parseStoredResponse, type ResponseParts, recoverResponse } from './stored-responses.ts'
import type { WriteParts } from './write.ts'

/** The record type of people of one kind. */
export type PersonType = RecordType & { kind: Kind }

/** The person who stays, the person to delete, and the chosen values. */
export type PeopleMerge = { id: string; from: string; fields: Record<string, unknown> }

/** The expected versions of the two people. */
export type MergePreconditions = {
  match?: Versions | undefined
  fromMatch?: Versions | undefined
}

type MergeOptions = MergePreconditions & { request?: IdempotentRequest | undefined }

/** The number of records that moved to the person who stays, by collection. */
export type MovedCounts = Record<string, number>

const path = 'fields.'
const permissions = ['write'] as const

/**
 * Merges another person into one, in one transaction: chosen values win, the other's
 * values fill gaps, records that refer to the other move, and the other is deleted. Throws 400 with
 * every validation error, 403, 404 and 412.
 */
export function mergePeople(
  destination: WriteParts,
  target: PersonType,
  merge: PeopleMerge,
  options: MergeOptions,
): Promise<MovedCounts> {
  return retryWhileChanged(() => mergeOnce(destination, target, merge, options))
}

/** Returns undefined if another request changed one of the two since they were read. */
async function mergeOnce(
  destination: WriteParts,
  target: PersonType,
  { id, from, fields }: PeopleMerge,
  { match, fromMatch, request }: MergeOptions,
): Promise<MovedCounts | undefined> {
  const { store } = destination
  const { name: collection, kind, singular } = target
  const { response, records, schema } = await readBeforeWrite(store, {
    collection,
    ids: [id, from],
    kind,
    request,
    permissions,
  })
  if (request && response) return parseCounts(parseStoredResponse(request, response))
  try {
    requireUnrestricted(store.policy, '$merge')
    const [survivor, duplicate] = [records.get(id), records.get(from)]
    if (!survivor) throw notFound(target)
    checkPreconditions({ ...(match && { match }) }, survivor.version)
    if (!duplicate || id === from)
      throw invalidField('from', 'not_found', `must be the id of another ${singular}.`)
    checkPreconditions({ ...(fromMatch && { match: fromMatch }) }, duplicate.version)
    const people = {
      survivor: parseDocument(survivor.document),
      duplicate: parseDocument(duplicate.document),
    }
    const { written, unique } = await buildMerged(destination, target, schema, {
      id,
      fields,
      ...people,
    })
    const result = await commitMerge(store, {
      kind,
      unique: unique.values,
      request,
      survivor: { ...written, version: survivor.version },
      duplicate: { id: from, version: duplicate.version },
    })
    if (result.isChanged) return undefined
    if (result.taken.length > 0) throw invalidInput(unique.taken(result, singular))
    const counts: MovedCounts = JSON.parse(result.moved)
    if (result.size > maxCascade) throw tooManyReferrers(target, counts)
    await fillFromResponses(destination, kind, [id])
    return counts
  } catch (error) {
    return parseCounts(await recoverResponse(store, collection, request, permissions, error))
  }
}

/** Builds the survivor's document and its uniqueness checks. */
async function buildMerged(
  { store, geography }: WriteParts,
  target: PersonType,
  schema: string | undefined,
  {
    id,
    fields,
    survivor,
    duplicate,
  }: { id: string; fields: Values; survivor: Values; duplicate: Values },
) {
  const rules = rulesFor(target, parseStoredSchema(schema), store.organisationId)
  const checked = checkWithId(target, id, fields, (patch) =>
    rules.merge(combineValues(survivor, duplicate, rules.normalisePatch(fields)), patch),
  )
  if ('errors' in checked)
    throw invalidInput(
      checked.errors.map((error) => ({ ...error, field: fieldPath(path, error.field) })),
    )
  const placed = await rules.addAreas?.(geography, [checked.value], new Map([[id, survivor]]))
  const written = placed?.[0] ?? checked.value
  const values = parseDocument(written.document)
  const change = { prefix: path, written, values, before: survivor, differs: true }
  return { written, unique: new UniqueChecks(rules.unique, [change]) }
}

/**
 * Fills the survivor's empty fields with the duplicate's values, even cleared ones. Removes the
 * answer dates of chosen values, so that older answers do not replace them.
 */
function combineValues(survivor: Values, duplicate: Values, chosen: Values): Values {
  const [dates, otherDates] = [answerDates(survivor), answerDates(duplicate)]
  const chosenValues = new Map(Object.entries(chosen))
  const isMissing = (field: string) => !Object.hasOwn(survivor, field)
  const added = Object.entries(duplicate).filter(
    ([field]) => isMissing(field) && !isInternalKey(field),
  )
  const combinedDates = new Map([
    ...dates,
    ...[...otherDates].filter(([field]) => isMissing(field)),
  ])
  for (const [field, date] of combinedDates) {
    const cleared = dates.get(field) ?? ''
    // Answers from before the survivor's value was cleared do not fill the field.
    if (cleared > date) combinedDates.set(field, cleared)
    // Without a date, a value is as new as the merge, so no earlier answer replaces it.
    const isEntered = isMissing(field) && Object.hasOwn(duplicate, field) && !otherDates.has(field)
    if (isEntered || !isEmptyValue(chosenValues.get(field))) combinedDates.delete(field)
  }
  return {
    ...Object.fromEntries(added),
    ...survivor,
    [internalKeys.answerDates]: Object.fromEntries(combinedDates),
  }
}

const answerDates = (values: Values) =>
  new Map(Object.entries((values[internalKeys.answerDates] ?? {}) as Record<string, string>))

const parseCounts = ({ text }: ResponseParts): MovedCounts => JSON.parse(text ?? '{}')

const tooManyReferrers = ({ singular }: PersonType, counts: MovedCounts) => {
  const texts = Object.entries(counts).map(([name, count]) => formatRecordCount(count, name))
  return invalidField(
    'from',
    'too_large',
    `a merge moves at most ${formatNumber(maxCascade)} records. ${texts.join(', ')} refer to this ${singular}: link some of these to the other ${singular} first.`,
  )
}
