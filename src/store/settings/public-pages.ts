import { type SQL, sql } from 'drizzle-orm/sql'
import { type Column, flag, optional, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'
import { administration } from '../terms.ts'

/** An organisation's public pages: `settings` is JSON (sign-up/public-pages.ts). */
export type StoredPublicPages = {
  organisationName: string
  enabled: boolean
  settings: string
  hasLogo: boolean
}

/** The settings of an organisation's public pages; the defaults if it has none. */
export const publicPagesColumn = (organisationId: string): Column<StoredPublicPages> => ({
  expression: sql`(
    SELECT json_object(
      'organisationName', organisations.name, 'enabled', ifnull(enabled, 0),
      'settings', ifnull(settings, '{}'), 'hasLogo', logo IS NOT NULL
    )
    FROM organisations LEFT JOIN public_pages ON public_pages.organisation_id = organisations.id
    WHERE organisations.id = ${organisationId}
  )`,
  decode(value) {
    const { enabled, hasLogo, ...pages } = JSON.parse(String(value))
    return { ...pages, enabled: enabled === 1, hasLogo: hasLogo === 1 }
  },
})

/** Reads the settings of an organisation's public pages. */
export async function readStoredPublicPages(store: Store): Promise<StoredPublicPages> {
  const { head } = await store.select({
    head: { pages: publicPagesColumn(store.organisationId) },
  })
  return head.pages
}

/** Reads the public pages for an export; undefined if they were never set. The logo is PNG in Base64. */
export async function findPublicPages(
  store: Store,
): Promise<{ enabled: boolean; settings: string; logo: string | undefined } | undefined> {
  const { rows } = await store.select({
    rows: {
      columns: {
        enabled: flag(sql`enabled`),
        settings: text(sql`settings`),
        logo: optional(text(sql`logo`)),
      },
      from: sql`FROM public_pages WHERE ${ofOrganisation(store)}`,
    },
  })
  return rows[0]
}

/** Reads the logo as PNG in Base64; undefined without one. */
export async function readLogo(store: Store): Promise<string | undefined> {
  const logo = sql`(SELECT logo FROM public_pages WHERE ${ofOrganisation(store)})`
  const { head } = await store.select({ head: { logo: optional(text(logo)) } })
  return head.logo
}

/** The stored values of the public pages. A `logo` of undefined stays, null removes it. */
export type NewPublicPages = { enabled: boolean; settings: string; logo?: string | null }

/** The audit entry for saved settings of the public pages. */
export const publicPagesAudit = ({ enabled }: NewPublicPages) =>
  ({ action: 'publicPages.changed', target: enabled ? 'on' : 'off' }) as const

/** Saves the settings of the public pages with an audit entry. */
export async function storePublicPages(store: Store, pages: NewPublicPages): Promise<void> {
  const audit = publicPagesAudit(pages)
  await store.write({ ...administration, audit }, [upsertPublicPages(store, pages)])
}

/** SQL that saves the settings of the public pages. */
export function upsertPublicPages(
  { organisationId }: Pick<Store, 'organisationId'>,
  { enabled, settings, logo }: NewPublicPages,
): SQL {
  const keepsLogo = logo === undefined
  return sql`INSERT INTO public_pages (organisation_id, enabled, settings, logo, reminders_checked)
    VALUES (${organisationId}, ${Number(enabled)}, ${settings}, ${logo ?? null},
      iif(${Number(enabled)} AND ${settings} ->> '$.remindsDayBefore', '', NULL))
    ON CONFLICT (organisation_id) DO UPDATE SET
      enabled = excluded.enabled, settings = excluded.settings,
      logo = iif(${Number(keepsLogo)}, logo, excluded.logo),
      reminders_checked = excluded.reminders_checked`
}
