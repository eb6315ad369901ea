import { sql } from 'drizzle-orm/sql'
import type { Kind } from '../../model/properties/schema.ts'
import { json, text } from '../columns.ts'
import { ofOrganisation } from '../fragments.ts'
import type { Store } from '../store.ts'

/** What somebody has entered in a form and saved for later. */
export type FormDraft = {
  /** The time of saving. */
  saved: string
  /** The page of the form that they left. */
  page: string
  /** The names and values of the controls. */
  values: readonly (readonly [name: string, value: string])[]
}

/** Saves a draft with a link that is unused or allows several answers. Returns false without such a link. */
export async function saveFormDraft(
  store: Store,
  { formId, hash, allowsSeveral }: { formId: string; hash: string; allowsSeveral: boolean },
  draft: FormDraft,
): Promise<boolean> {
  const link = sql`hash = ${hash} AND ${ofOrganisation(store)} AND form_id = ${formId}
    AND expires > ${draft.saved} ${allowsSeveral ? sql`` : sql`AND used IS NULL`}`
  const { refused } = await store.write(
    {
      permissions: ['write'],
      isInternal: true,
      unless: { gone: sql`NOT EXISTS (SELECT 1 FROM form_links WHERE ${link})` },
    },
    [sql`UPDATE form_links SET draft = ${JSON.stringify(draft)} WHERE ${link}`],
  )
  return refused === undefined
}

/** A draft of a person, for their own information. */
export type PersonDraft = {
  formId: string
  saved: string
  entries: { control: string; value: string }[]
}

/** Reads the drafts that were saved with the personal links of a person. */
export async function readPersonDrafts(
  store: Store,
  { kind, id }: { kind: Kind; id: string },
): Promise<PersonDraft[]> {
  const { rows } = await store.select({
    rows: {
      columns: { formId: text(sql`form_id`), draft: json<FormDraft>(sql`draft`) },
      from: sql`FROM form_links
        WHERE ${ofOrganisation(store)} AND kind = ${kind} AND person_id = ${id} AND draft IS NOT NULL
        ORDER BY form_id, hash`,
    },
  })
  return rows.map(({ formId, draft: { saved, values } }) => ({
    formId,
    saved,
    entries: values.map(([control, value]) => ({ control, value })),
  }))
}
