import { sql } from 'drizzle-orm/sql'
import { exportPermissions } from '../access/credential.ts'
import { assistantPermissions } from '../access/permissions.ts'
import { collectionTitle } from '../model/collection.ts'
import { type Kind, kinds } from '../model/properties/schema.ts'
import { auditInserts } from './audit-entry.ts'
import { text } from './columns.ts'
import { organisationColumn } from './fragments.ts'
import { statement } from './statement.ts'
import type { Store } from './store.ts'
import { administration } from './terms.ts'

/** Adds the export of a person's data to the audit log and returns the organisation's name. */
export async function recordExport(store: Store, kind: Kind, id: string): Promise<string> {
  const { name } = await store.write(
    {
      permissions: exportPermissions(store.credential),
      collection: kind,
      returns: { name: text(organisationColumn(store, 'name')) },
      audit: {
        action: 'person.exported',
        detail: kinds[kind].singular,
        target: id,
        record: { collection: kind, id },
      },
      isInternal: true,
    },
    [],
  )
  return name
}

/** Adds the export of all records to the audit log. */
export async function recordFullExport(store: Store): Promise<void> {
  const audit = { action: 'records.exported', target: 'all' } as const
  await store.write({ ...administration, audit }, [])
}

/** Adds a person's sign-in to the dashboard to the audit log of each of their organisations that is not being moved. */
export async function recordSignIn(
  d1: D1Database,
  { issuer, subject }: { issuer: string; subject: string },
  name: string,
): Promise<void> {
  const entry = {
    organisationId: sql`organisation_id`,
    actor: name,
    action: 'user.signedIn',
    target: sql`email`,
  } as const
  const source = sql`FROM memberships CROSS JOIN organisations ON organisations.id = organisation_id
      AND moving_to IS NULL
    WHERE issuer = ${issuer} AND subject = ${subject}`
  await statement(d1, auditInserts(entry, source)).run()
}

/** Adds the download of a list to the audit log. */
export async function recordDownload(
  store: Store,
  collection: string,
  format: 'CSV' | 'Excel' | 'Image',
): Promise<void> {
  const audit = {
    action: 'records.downloaded',
    detail: collectionTitle(collection),
    target: format,
  } as const
  await store.write({ permissions: ['read'], collection, audit, isInternal: true }, [])
}

/** Adds the call of a tool by an assistant to the audit log, without its input. Throws 403 unless the key is an assistant's. */
export async function recordAssistantCall(
  store: Store,
  tool: string,
  target: string,
): Promise<void> {
  const audit = { action: 'assistant.called', detail: tool, target } as const
  await store.write({ permissions: assistantPermissions, audit, isInternal: true }, [])
}
