import { sql } from 'drizzle-orm/sql'
import { lookUpAreas, toLookupKey } from '../geography/lookup.ts'
import { londonDay } from '../model/timestamp.ts'
import { text } from '../store/columns.ts'
import { walkDocuments, walkRecords } from '../store/read/walk-records.ts'
import type { Store } from '../store/store.ts'
import {
  type Application,
  type Fund,
  type Grant,
  missingPrefix,
  type Payment,
  recipientType,
  toGrant,
} from './grant.ts'
import { findProblems, type PublishingProblem } from './problems.ts'
import type { Publishing } from './settings.ts'

/** An awarded grant of the funds and dates in the settings, with what keeps it from being published. */
export type ListedGrant = {
  application: Application
  grant: Grant
  problems: readonly PublishingProblem[]
  /** Whether it is left out because it was made to an individual. */
  isLeftOut: boolean
}

/** The applications of a chunk: one may have half a megabyte. */
const chunkSize = 100

/** The statuses of applications with an award. */
const awardedStatuses: ReadonlySet<string> = new Set(['approved', 'fully_paid', 'completed'])

/**
 * Yields the awarded grants of the funds and dates in the settings, ready or not, in chunks in order of arrival. Reads
 * every application and disbursement once, and about 14 rows of the directory for each postcode.
 */
export async function* listGrants(
  store: Store,
  geography: D1Database,
  publishing: Publishing,
  funds: ReadonlyMap<string, Fund>,
): AsyncGenerator<ListedGrant[]> {
  const { prefix = missingPrefix, hasDescriptions, hasIndividuals } = publishing.grants
  const circumstances = { prefix, hasDescriptions, today: londonDay(Date.now()) }
  const payments = await readPayments(store)
  const chunks = walkRecords(store, 'grant-applications', {
    columns: {
      document: text(sql`document`),
      created: text(sql`created`),
      changed: text(sql`changed`),
    },
    size: chunkSize,
  })
  for await (const chunk of chunks) {
    const selected = chunk
      .map(({ document, ...times }) => ({ application: parse<Application>(document), ...times }))
      .filter(({ application }) => isSelected(application, publishing))
    const postcodes = selected.map(({ application }) => application.recipient.postcode)
    const { byPostcode } = await lookUpAreas(geography, postcodes.filter(Boolean))
    yield selected.map(({ application, ...times }) => {
      const fund = funds.get(application.fundId)
      const type = recipientType(application, fund)
      const records = {
        application,
        ...times,
        fund,
        payments: payments.get(application.applicationId) ?? [],
        areas: byPostcode.get(toLookupKey(application.recipient.postcode)),
      }
      return {
        application,
        isLeftOut: type === 'individual' && !hasIndividuals,
        problems: findProblems(application, type, circumstances),
        grant: toGrant(records, publishing),
      }
    })
  }
}

/** Yields the grants that are public, in chunks. */
export async function* listPublishedGrants(
  store: Store,
  geography: D1Database,
  publishing: Publishing,
): AsyncGenerator<Grant[]> {
  const funds = await readFunds(store)
  for await (const chunk of listGrants(store, geography, publishing, funds))
    yield chunk
      .filter(({ problems, isLeftOut }) => problems.length === 0 && !isLeftOut)
      .map(({ grant }) => grant)
}

/** Whether the settings select an application: by its status, fund and award date. */
function isSelected(application: Application, { grants }: Publishing): boolean {
  const { status, fundId, dates } = application
  if (!awardedStatuses.has(status)) return false
  if (grants.funds && !grants.funds.includes(fundId)) return false
  // A grant without a date is listed, because its date is missing for publication.
  return grants.from === undefined || !dates.awarded || dates.awarded.slice(0, 10) >= grants.from
}

/** The organisation's funds by id. */
export async function readFunds(store: Store): Promise<ReadonlyMap<string, Fund>> {
  const funds = new Map<string, Fund>()
  for await (const chunk of walkDocuments(store, 'funds', chunkSize)) {
    for (const { id, document } of chunk) {
      const { fundId, name, identifier, recipientType } = parse<Fund>(document)
      funds.set(id, { fundId, name, identifier, recipientType })
    }
  }
  return funds
}

/** The payments that were made, by the id of their application. */
async function readPayments(store: Store): Promise<ReadonlyMap<string, Payment[]>> {
  const payments = new Map<string, Payment[]>()
  for await (const chunk of walkDocuments(store, 'disbursements', 1000)) {
    for (const { document } of chunk) {
      const { disbursementId, grantId, amount, currency, dates, status } = parse<
        Payment & { status: string }
      >(document)
      if (status !== 'PAID') continue
      const payment = { disbursementId, grantId, amount, currency, dates }
      const others = payments.get(grantId)
      if (others) others.push(payment)
      else payments.set(grantId, [payment])
    }
  }
  return payments
}

/** A stored document: it was checked when it was written. */
const parse = <Document>(document: string): Document => JSON.parse(document)
