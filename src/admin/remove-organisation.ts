import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { Bindings } from '../platform/bindings.ts'
import {
  attendanceMarks,
  bookingLinks,
  eventQuestions,
  formLinks,
  publicPages,
  signUps,
} from '../store/sign-up-tables.ts'
import {
  apiKeys,
  auditLog,
  deletions,
  dismissedDuplicates,
  duplicateChecks,
  idempotencyKeys,
  importMappings,
  imports,
  keyUsage,
  memberships,
  organisations,
  records,
  retentionRules,
  savedViews,
  schemas,
  terms,
} from '../store/tables.ts'
import { webhookAttempts, webhookOutbox, webhooks } from '../store/webhook-tables.ts'

/** The data of an organisation: records by collection, keys, users and webhooks. */
export type OrganisationContents = {
  name: string
  collections: { collection: string; records: number }[]
  keys: number
  users: number
  webhooks: number
}

const chunkSize = 500

/** Counts the data of an organisation; undefined for an unknown id. */
export async function countContents(
  DB: D1Database,
  id: string,
): Promise<OrganisationContents | undefined> {
  const db = drizzle(DB)
  const [[organisation], collections, [keys], [users], [hooks]] = await db.batch([
    db.select({ name: organisations.name }).from(organisations).where(eq(organisations.id, id)),
    db
      .select({ collection: terms.collection, records: terms.count })
      .from(terms)
      .where(and(eq(terms.organisationId, id), eq(terms.field, ''), eq(terms.value, sql`x''`)))
      .orderBy(terms.collection),
    db.select({ number: count() }).from(apiKeys).where(eq(apiKeys.organisationId, id)),
    db.select({ number: count() }).from(memberships).where(eq(memberships.organisationId, id)),
    db.select({ number: count() }).from(webhooks).where(eq(webhooks.organisationId, id)),
  ])
  return (
    organisation && {
      name: organisation.name,
      collections: collections.filter(({ records }) => records > 0),
      keys: keys?.number ?? 0,
      users: users?.number ?? 0,
      webhooks: hooks?.number ?? 0,
    }
  )
}

/**
 * Removes an organisation with all its data and reports the number of removed records. Users and
 * keys go first and the organisation's row last, so that an interrupted run can be repeated.
 */
export async function deleteOrganisation(
  { DB, KEYS }: Pick<Bindings, 'DB' | 'KEYS'>,
  id: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const db = drizzle(DB)
  await db.delete(memberships).where(eq(memberships.organisationId, id))
  await deleteWebhooks(DB, id)
  // The pages first, so that nobody signs up meanwhile.
  await db.delete(publicPages).where(eq(publicPages.organisationId, id))
  await db.delete(retentionRules).where(eq(retentionRules.organisationId, id))
  const keys = await db
    .select({ hash: apiKeys.hash })
    .from(apiKeys)
    .where(eq(apiKeys.organisationId, id))
  const deleteHints = () => Promise.all(keys.map(({ hash }) => KEYS.delete(hash)))
  // Twice: an interrupted run must find every hint again, and a request may restore one.
  await deleteHints()
  await db.delete(apiKeys).where(eq(apiKeys.organisationId, id))
  await deleteHints()
  await db.delete(idempotencyKeys).where(eq(idempotencyKeys.organisationId, id))
  await deleteRecords(DB, id, onProgress)
  await db.batch([
    db.delete(bookingLinks).where(eq(bookingLinks.organisationId, id)),
    db.delete(attendanceMarks).where(eq(attendanceMarks.organisationId, id)),
    db.delete(signUps).where(eq(signUps.organisationId, id)),
    db.delete(eventQuestions).where(eq(eventQuestions.organisationId, id)),
    db.delete(formLinks).where(eq(formLinks.organisationId, id)),
    db.delete(deletions).where(eq(deletions.organisationId, id)),
    db.delete(terms).where(eq(terms.organisationId, id)),
    db.delete(schemas).where(eq(schemas.organisationId, id)),
    db.delete(imports).where(eq(imports.organisationId, id)),
    db.delete(keyUsage).where(eq(keyUsage.organisationId, id)),
    db.delete(dismissedDuplicates).where(eq(dismissedDuplicates.organisationId, id)),
    db.delete(duplicateChecks).where(eq(duplicateChecks.organisationId, id)),
    db.delete(savedViews).where(eq(savedViews.organisationId, id)),
    db.delete(importMappings).where(eq(importMappings.organisationId, id)),
    db.delete(auditLog).where(eq(auditLog.organisationId, id)),
    db.delete(organisations).where(eq(organisations.id, id)),
  ])
}

/** Removes an organisation's webhooks first, so that no deletion is sent. */
async function deleteWebhooks(DB: D1Database, id: string): Promise<void> {
  const db = drizzle(DB)
  const webhookIds = db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.organisationId, id))
  await db.batch([
    db.delete(webhookOutbox).where(inArray(webhookOutbox.webhookId, webhookIds)),
    db.delete(webhookAttempts).where(inArray(webhookAttempts.webhookId, webhookIds)),
    db.delete(webhooks).where(eq(webhooks.organisationId, id)),
  ])
}

/** Removes an organisation's records in chunks of less than a second each. Triggers update the index and add deletions to the change feed; each chunk removes those too. */
async function deleteRecords(
  DB: D1Database,
  id: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const db = drizzle(DB)
  const inOrganisation = eq(records.organisationId, id)
  const [row] = await db.select({ number: count() }).from(records).where(inOrganisation)
  const total = row?.number ?? 0
  for (let done = 0; done < total; done += chunkSize) {
    onProgress(done, total)
    const chunk = db
      .select({ row: records.row })
      .from(records)
      .where(inOrganisation)
      .limit(chunkSize)
    await db.batch([
      db.delete(records).where(inArray(records.row, chunk)),
      db.delete(deletions).where(eq(deletions.organisationId, id)),
    ])
  }
}
