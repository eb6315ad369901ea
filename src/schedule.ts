import { londonDay } from './model/timestamp.ts'
import type { Bindings, DatabaseName } from './platform/bindings.ts'
import { tolerate } from './platform/log.ts'
import { newRetentionBudget, type RetentionBudget, runRetention } from './records/retention.ts'
import { queueReminders } from './sign-up/mailings/reminders.ts'
import { sendDueMessages } from './sign-up/mailings/send-due.ts'
import { runSignUps } from './sign-up/schedule.ts'
import { listDatabases } from './store/databases.ts'
import { forwardAuditEntries } from './store/forward-audit.ts'
import { deleteOldUsage } from './store/settings/usage.ts'
import { deleteExpiredFormLinks } from './store/sign-up/form-links.ts'
import { deleteOldMailings } from './store/sign-up/mailings.ts'
import { deleteOldUnsubscribeLinks } from './store/sign-up/unsubscribe.ts'
import { measureNextOrganisation, warnOfSize } from './store/sizes.ts'
import { packNextOrganisation } from './store/summary/pack-columns.ts'
import { deleteOldAttempts } from './store/webhooks/outbox.ts'
import { deleteWebhooksOfEndedKeys } from './store/webhooks/webhooks.ts'
import { deleteOldVersions } from './store/write/previous-versions.ts'
import { reEncryptSecrets } from './webhooks/re-encrypt.ts'

/** A run of the schedule in one database, `DB`. */
type Run = { env: Bindings; now: number; budget: RetentionBudget }

const minuteMs = 60_000

/** Work that waits while an organisation moves out of a database or into it. */
const maintenance: Record<string, (run: Run) => Promise<void>> = {
  attempts: ({ env, now }) => deleteOldAttempts(env.DB, now),
  webhooks: ({ env, now }) => deleteWebhooksOfEndedKeys(env.DB, now),
  usage: ({ env, now }) => deleteOldUsage(env.DB, now),
  versions: ({ env, now }) => deleteOldVersions(env.DB, now),
  formLinks: ({ env, now }) => deleteExpiredFormLinks(env.DB, now),
  mailings: ({ env, now }) => deleteOldMailings(env.DB, londonDay(now)),
  unsubscribeLinks: ({ env, now }) => deleteOldUnsubscribeLinks(env.DB, now),
  webhookSecrets: ({ env, now }) => reEncryptSecrets(env, now),
  size: ({ env, now }) => measureNextOrganisation(env.DB, now),
  packedColumns: ({ env }) => packNextOrganisation(env.DB),
  retention: ({ env, now, budget }) => runRetention(env, now, budget),
}

/** Runs each minute the tasks of every database. A failure is logged and does not stop the other tasks and databases. */
export async function runSchedule(env: Bindings, now: number): Promise<void> {
  const databases = listDatabases(env)
  // Each database is the first in turn, because the platform limits the queries of a run.
  const first = Math.floor(now / minuteMs) % databases.length
  const inTurn = [...databases.slice(first), ...databases.slice(0, first)]
  await tolerate('schedule', { task: 'auditLog' }, () => forwardAuditEntries(env))
  const paused = await findPaused(databases, now)
  const budget = newRetentionBudget()
  for (const [database, DB] of inTurn) {
    const run = { env: { ...env, DB }, now, budget }
    await tolerate('schedule', { task: 'signUps', database }, () => runSignUps(run.env, now))
    await tolerate('schedule', { task: 'reminders', database }, () => queueReminders(run.env, now))
    await tolerate('schedule', { task: 'mailings', database }, () => sendDueMessages(run.env, now))
    if (paused.has(database)) continue
    for (const [task, work] of Object.entries(maintenance))
      await tolerate('schedule', { task, database }, () => work(run))
  }
}

/** The databases that an organisation is moving out of or into, and the unreachable ones. Warns of large ones. */
async function findPaused(
  databases: [DatabaseName, D1Database][],
  now: number,
): Promise<Set<DatabaseName>> {
  const paused = await Promise.all(
    databases.map(async ([database, DB]) => {
      const query = DB.prepare(
        'SELECT moving_to AS target FROM organisations WHERE moving_to IS NOT NULL',
      )
      const rows = await tolerate('schedule', { task: 'maintenance', database }, () =>
        query.all<{ target: DatabaseName }>(),
      )
      if (rows) warnOfSize(database, rows.meta.size_after, now)
      const targets = rows?.results.map(({ target }) => target)
      return targets?.length === 0 ? [] : [database, ...(targets ?? [])]
    }),
  )
  return new Set(paused.flat())
}
