import { type SQL, sql } from 'drizzle-orm'

/** SQL for whether an organisation has webhooks that are to be told of what changes. */
export const hasWebhooks = (organisationId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM webhooks WHERE organisation_id = ${organisationId} AND state = 'active')`
