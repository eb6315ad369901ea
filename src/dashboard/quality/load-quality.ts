import type { Context } from 'hono'
import { cutoffDate } from '../../model/age.ts'
import { isErrorOf } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection.ts'
import { londonDay } from '../../model/timestamp.ts'
import { openBudget, type RowBudget } from '../../store/query/query-reader.ts'
import { type FieldColumns, readAllValues } from '../../store/summary/read-values.ts'
import { type CollectionInfo, describeCollection } from '../collection/collection-info.ts'
import { formatFilters } from '../filters/filters.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath } from '../ui/paths.ts'
import type { Check, Finding } from './check.ts'
import { checks } from './checks.ts'
import { listDetails, type PersonDetail } from './details.ts'

/** How many of some people have a detail. */
export type Share = { known: number; total: number }

/** How many people of a kind have a detail: of all, and of the people who were added in the last year. */
export type KnownDetail = { label: string; all: Share; recent: Share; missingPath: string }

/** A kind of people. Without `details`, there are too many to count. */
export type KnownPeople = {
  /** The collection and its label. */
  name: string
  label: string
  total: number | undefined
  details: readonly KnownDetail[] | undefined
}

/** A check with the findings that have records, or too many to count. */
export type CheckResult = Check & { findings: readonly Finding[] }

export type Quality = { people: readonly KnownPeople[]; results: readonly CheckResult[] }

/**
 * Loads all figures. The details of people read at most 200,000 rows together, one kind after another; each check
 * has its own limit.
 */
export async function loadQuality(c: Context<DashboardEnv>): Promise<Quality> {
  const today = londonDay(Date.now())
  const collections = await Promise.all(collectionNames.map((name) => describeCollection(c, name)))
  const budget = openBudget(c.var.store, 'There are too many people.')
  const people: KnownPeople[] = []
  for (const collection of collections)
    people.push(...(await loadKnown(c, collection, { today, budget })))
  const results = await Promise.all(
    checks.map(async (check): Promise<CheckResult> => {
      const found = await Promise.all(
        collections.map((collection) => check.find({ c, collection, today })),
      )
      return { ...check, findings: found.flat().filter(({ count }) => count !== 0) }
    }),
  )
  return { people, results }
}

/** Counts the details of the people in a collection; nothing for other records, or without people or details. */
async function loadKnown(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  { today, budget }: { today: string; budget: RowBudget },
): Promise<KnownPeople[]> {
  const { name, label, fields, kind } = collection
  const details = listDetails(fields)
  const names = details.flatMap((detail) => detail.fields.map(({ id }) => id))
  if (!kind || names.length === 0) return []
  const since = `${cutoffDate('1 year', today)}T00:00:00.000Z`
  try {
    const values = await readAllValues(c.var.store, kind, {
      names: [...new Set(names)],
      since,
      budget,
    })
    const { total } = values
    if (total === 0) return []
    return [
      {
        name,
        label,
        total,
        details: details.map((detail) => measure(c, collection, detail, values)),
      },
    ]
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST'))
      return [{ name, label, total: undefined, details: undefined }]
    throw error
  }
}

function measure(
  c: Context<DashboardEnv>,
  { name, properties }: CollectionInfo,
  { label, fields }: PersonDetail,
  { columns, total, earlier }: FieldColumns,
): KnownDetail {
  const ids = fields.map(({ id }) => id)
  const isKnown = (record: number) =>
    ids.some((id) => (columns.get(id)?.codesOf(record).length ?? 0) > 0)
  const countKnown = (from: number) =>
    Array.from({ length: total - from }, (_, index) => from + index).filter(isKnown).length
  const missing = properties
    .filter((property) => ids.includes(property.name))
    .map((property) => ({ property, values: [''] }))
  return {
    label,
    all: { known: countKnown(0), total },
    recent: { known: countKnown(earlier), total: total - earlier },
    missingPath: `${collectionPath(c, name)}?${formatFilters(missing)}`,
  }
}
