import { type SQL, sql } from 'drizzle-orm/sql'
import { optional, text } from '../columns.ts'
import { ofOrganisation, organisationColumn } from '../fragments.ts'
import { onlyState } from '../state.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'

/** SQL that tests whether an organisation's settings publish something, such as `grants`. */
export const isPublished = (what: string): SQL => sql`publishing ->> ${`$.${what}.isOn`} = 1`

/** Reads what an organisation publishes as JSON (publishing/settings.ts), and the state of its records. */
export async function readStoredPublishing(store: Store) {
  const settings = sql`(SELECT publishing FROM public_pages WHERE ${ofOrganisation(store)})`
  const { head, state } = await store.select({
    head: {
      organisationName: text(organisationColumn(store, 'name')),
      settings: optional(text(settings)),
    },
    known: onlyState,
  })
  return { ...head, settings: head.settings ?? '{}', state }
}

/** Saves one part of what an organisation publishes, such as `grants`, with an audit entry. `setting` is JSON. */
export async function storePublishing(store: Store, part: string, setting: string): Promise<void> {
  const isOn = JSON.parse(setting).isOn === true
  const audit = { action: 'publishing.changed', target: `${part} ${isOn ? 'on' : 'off'}` } as const
  const changed = (before: SQL) => sql`json_set(${before}, ${`$.${part}`}, json(${setting}))`
  await store.write({ ...administration, audit }, [
    sql`INSERT INTO public_pages (organisation_id, enabled, settings, publishing)
      VALUES (${store.organisationId}, 0, '{}', ${changed(sql`'{}'`)})
      ON CONFLICT (organisation_id) DO UPDATE SET publishing = ${changed(sql`public_pages.publishing`)}`,
  ])
}
