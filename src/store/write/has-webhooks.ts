import { type SQL, sql } from 'drizzle-orm'

/** Returns SQL for whether an organisation has active webhooks. */
export const hasWebhooks = (organisationId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE organisation_id = ${organisationId} AND state = 'active')`
