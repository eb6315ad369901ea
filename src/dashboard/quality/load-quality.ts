import type { Context } from 'hono'
import { isErrorOf } from '../../model/api-error.ts'
import { collectionNames } from '../../model/collection.ts'
import { formatMonths } from '../../model/dates.ts'
import { londonDay } from '../../model/timestamp.ts'
import {
  type KnownCount,
  type PastCounts,
  readPastCounts,
  saveCounts,
} from '../../store/people/known-details.ts'
import { openBudget, type RowBudget } from '../../store/query/query-reader.ts'
import { type FieldColumns, readAllValues } from '../../store/summary/read-values.ts'
import { type CollectionInfo, describeCollection } from '../collection/collection-info.ts'
import { formatFilters } from '../filters/filters.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { collectionPath } from '../ui/paths.ts'
import type { Check, Finding } from './check.ts'
import { checks } from './checks.ts'
import { hasDetail, listDetails, type PersonDetail } from './details.ts'
import { findGaps, type OriginGaps } from './find-gaps.ts'
import { readHasWards } from './find-unknown-postcodes.ts'

/** How many of some people have a detail. */
export type Share = { known: number; total: number }

/** The people who were added in a quarter. */
export type QuarterShare = Share & { quarter: string }

/** How many people of a kind have a detail: today, in an earlier month, and of the people added in each of the last quarters. */
export type KnownDetail = {
  label: string
  /** The first field that holds it. */
  field: string
  all: Share
  /** The share in an earlier month; undefined if none is stored. */
  before: Share | undefined
  quarters: readonly QuarterShare[]
  missingPath: string
}

/** How many months back an earlier share is at most. */
const maxMonthsBack = 12

/** The number of quarters that show the development. */
const shownQuarters = 8

/** The fewest people of a quarter for a meaningful share. */
const minAdded = 5

/** A kind of people. Without `details`, there are too many to count. */
export type KnownPeople = {
  /** The collection and its label. */
  name: string
  label: string
  total: number | undefined
  details: readonly KnownDetail[] | undefined
  /** The first day of the recently added people, with their origins; undefined if there are too many. */
  added: { from: string; origins: readonly OriginGaps[] | undefined }
}

/** A check with the findings that have records, or too many to count. */
export type CheckResult = Check & { findings: readonly LocatedFinding[] }

/** A finding with the collection of its records. */
export type LocatedFinding = Finding & { collection: string }

export type Quality = {
  people: readonly KnownPeople[]
  results: readonly CheckResult[]
  /** The month of the earlier shares, such as `2026-11`; undefined if none are stored. */
  since: string | undefined
}

/**
 * Loads all figures. The details of people read at most 200,000 rows together, one kind after another; each check
 * has its own limit. Saves the shares of this month if the user may write.
 */
export async function loadQuality(c: Context<DashboardEnv>): Promise<Quality> {
  const today = londonDay(Date.now())
  const { store } = c.var
  const budget = openBudget(store, 'There are too many people.')
  const month = today.slice(0, 7)
  const from = firstOfMonth(today, maxMonthsBack).slice(0, 7)
  const [collections, past] = await Promise.all([
    describeCollections(c),
    readPastCounts(store, { from, before: month }),
  ])
  const people: KnownPeople[] = []
  for (const collection of collections)
    people.push(...(await loadKnown(c, collection, { today, budget, past })))
  if (can(c, 'write')) await saveCounts(store, month, people.flatMap(listCounts))
  return { people, results: await runChecks(c, collections, today), since: past?.month }
}

const listCounts = ({ name, details = [] }: KnownPeople): KnownCount[] =>
  details.map(({ field, all }) => ({ collection: name, field, ...all }))

/** Loads the results of the checks alone. */
export const loadCheckResults = async (c: Context<DashboardEnv>): Promise<CheckResult[]> =>
  runChecks(c, await describeCollections(c), londonDay(Date.now()))

const describeCollections = (c: Context<DashboardEnv>) =>
  Promise.all(collectionNames.map((name) => describeCollection(c, name)))

function runChecks(
  c: Context<DashboardEnv>,
  collections: readonly CollectionInfo[],
  today: string,
): Promise<CheckResult[]> {
  let wards: Promise<boolean> | undefined
  const hasWards = () => {
    wards ??= readHasWards(c.var.store)
    return wards
  }
  return Promise.all(
    checks.map(async (check): Promise<CheckResult> => {
      const found = await Promise.all(
        collections.map(async (collection) => {
          const findings = await check.find({ c, collection, today, hasWards })
          return findings.map((finding) => ({ ...finding, collection: collection.name }))
        }),
      )
      return { ...check, findings: found.flat().filter(({ count }) => count !== 0) }
    }),
  )
}

/** Counts the details of the people in a collection; nothing for other records, or without people or details. */
async function loadKnown(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  { today, budget, past }: { today: string; budget: RowBudget; past: PastCounts | undefined },
): Promise<KnownPeople[]> {
  const { name, label, fields, kind } = collection
  const details = listDetails(fields)
  const names = details.flatMap((detail) => detail.fields.map(({ id }) => id))
  if (!kind || names.length === 0) return []
  const quarters = listQuarters(today)
  const from = firstOfMonth(today, 2)
  const toTime = (day: string) => `${day}T00:00:00.000Z`
  try {
    const values = await readAllValues(c.var.store, kind, {
      names: [...new Set(names)],
      times: quarters.map(({ from }) => toTime(from)),
      originsFrom: toTime(from),
      budget,
    })
    const { total } = values
    if (total === 0) return []
    return [
      {
        name,
        label,
        total,
        details: details.map((detail) =>
          measure(c, collection, detail, { ...values, quarters, past }),
        ),
        added: { from, origins: values.origins && findGaps(c, details, values) },
      },
    ]
  } catch (error) {
    if (isErrorOf(error, 'BAD_REQUEST'))
      return [
        {
          name,
          label,
          total: undefined,
          details: undefined,
          added: { from, origins: undefined },
        },
      ]
    throw error
  }
}

/** The first day of the month that is some months before that of a day. */
function firstOfMonth(day: string, monthsBefore: number): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - monthsBefore, 1)).toISOString().slice(0, 10)
}

/** The last quarters until that of a day, each with its first day. */
function listQuarters(today: string) {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const first = 3 * Math.floor((month - 1) / 3)
  return Array.from({ length: shownQuarters }, (_, index) => {
    const start = new Date(Date.UTC(year, first - 3 * (shownQuarters - 1 - index), 1))
    const months = start.getUTCMonth() + 1
    return {
      from: start.toISOString().slice(0, 10),
      quarter: formatMonths(String(start.getUTCFullYear()), months, months + 2),
    }
  })
}

function measure(
  c: Context<DashboardEnv>,
  { name, properties }: CollectionInfo,
  { label, fields }: PersonDetail,
  {
    columns,
    total,
    earlier,
    quarters,
    past,
  }: FieldColumns & { quarters: ReturnType<typeof listQuarters>; past: PastCounts | undefined },
): KnownDetail {
  const ids = fields.map(({ id }) => id)
  const isKnown = (record: number) => hasDetail(fields, columns, record)
  const countBetween = (from: number, to: number): Share => ({
    known: Array.from({ length: to - from }, (_, index) => from + index).filter(isKnown).length,
    total: to - from,
  })
  const missing = properties
    .filter((property) => ids.includes(property.name))
    .map((property) => ({ property, values: [''] }))
  const [field = ''] = ids
  return {
    label,
    field,
    before: past?.counts.find((count) => count.collection === name && count.field === field),
    all: countBetween(0, total),
    quarters: quarters
      .map(({ quarter }, index) => ({
        quarter,
        ...countBetween(earlier[index] ?? 0, earlier[index + 1] ?? total),
      }))
      .filter((added) => added.total >= minAdded),
    missingPath: `${collectionPath(c, name)}?${formatFilters(missing)}`,
  }
}
