import { type Context, Hono } from 'hono'
import type { KeyRights, NewKey, ShownKey } from '../auth/key-acts.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { formFields } from '../http/body.ts'
import { faultsOfLimits, type RecordTypes } from '../limits/faults.ts'
import { ApiError } from '../model/api-error.ts'
import { sentence } from '../model/checked.ts'
import { structuredCollections } from '../resources/resources.ts'
import { ChangeKey } from './change-key.tsx'
import { ConfirmDelete, ConfirmRotate } from './confirm-key.tsx'
import { faultOf } from './form-fault.ts'
import { CreateForm, draftOf, KeyDraft, newDraft, RightsForm, RotateForm } from './key-forms.ts'
import { KeyPreview } from './key-preview.tsx'
import { ApiKeys } from './keys.tsx'
import { pathOf } from './page.tsx'

/** Settings > API Keys: create, list, change, rotate, revoke, reactivate, delete, and what was done (contract 5). */
export const keyPages = new Hono<DashboardEnv>()
  .get('/', (c) => keysPage(c))
  .post('/', async (c) => {
    const { given, draft, rights, fault } = await asked(c)
    const form = CreateForm.safeParse(given)
    if (!form.success || !rights)
      return keysPage(c, { draft, fault: form.success ? fault : faultOf(form.error) })
    const { name, expires } = form.data
    return keysPage(c, { made: await c.var.keys.create(name, expires, rights) })
  })
  .post('/preview', async (c) => {
    const { draft, rights, fault, types } = await asked(c)
    return keysPage(c, { draft, fault, preview: rights && { rights, types } })
  })
  .get('/:id/rights', async (c) => {
    const key = await keyOf(c)
    const draft = draftOf(key)
    return changePage(c, key, { draft, rights: RightsForm.parse(draft), types: await typesOf(c) })
  })
  .post('/:id/rights', async (c) => {
    const key = await keyOf(c)
    const form = await asked(c)
    if (!form.rights) return changePage(c, key, form)
    await c.var.keys.change(key.id, form.rights)
    return back(c)
  })
  .post('/:id/rights/preview', async (c) => changePage(c, await keyOf(c), await asked(c)))
  .get('/:id/rotate', async (c) => c.html(<ConfirmRotate c={c} apiKey={await keyOf(c)} />))
  .post('/:id/rotate', async (c) => {
    const form = RotateForm.safeParse(await formFields(c.req))
    if (!form.success) return keysPage(c, { fault: faultOf(form.error) })
    const made = await c.var.keys.rotate(c.req.param('id'), form.data.grace)
    return made ? keysPage(c, { made }) : back(c)
  })
  .get('/:id/delete', async (c) => c.html(<ConfirmDelete c={c} apiKey={await keyOf(c)} />))
  .post('/:id/delete', async (c) => {
    await c.var.keys.delete(c.req.param('id'))
    return back(c)
  })
  .post('/:id/revoke', async (c) => {
    await c.var.keys.revoke(c.req.param('id'))
    return back(c)
  })
  .post('/:id/reactivate', async (c) => {
    await c.var.keys.reactivate(c.req.param('id'))
    return back(c)
  })

type Said = {
  made?: NewKey
  draft?: KeyDraft
  fault?: string | undefined
  preview?: { rights: KeyRights; types: RecordTypes } | undefined
}

async function keysPage(c: Context<DashboardEnv>, { preview, ...said }: Said = {}) {
  const [keys, acts] = await Promise.all([c.var.keys.list(), c.var.keys.audit()])
  const shown = preview && <KeyPreview {...preview} />
  const page = <ApiKeys c={c} keys={keys} acts={acts} preview={shown} {...said} />
  return c.html(page, said.fault ? 400 : 200)
}

type Asked = {
  draft: KeyDraft
  rights?: KeyRights | undefined
  fault?: string | undefined
  types: RecordTypes
}

function changePage(c: Context<DashboardEnv>, key: ShownKey, { types, rights, ...form }: Asked) {
  const preview = rights && <KeyPreview rights={rights} types={types} />
  return c.html(
    <ChangeKey c={c} apiKey={key} preview={preview} {...form} />,
    form.fault ? 400 : 200,
  )
}

/** The form of a key that was sent: as it was filled in, and the rights it says or what is wrong with them. */
async function asked(c: Context<DashboardEnv>): Promise<Asked & { given: unknown }> {
  const given = await formFields(c.req)
  const types = await typesOf(c)
  const draft = KeyDraft.safeParse(given).data ?? newDraft
  const form = RightsForm.safeParse(given)
  if (!form.success) return { given, draft, types, fault: faultOf(form.error) }
  const faults = faultsOfLimits(form.data.limits, types)
  return faults.length > 0
    ? {
        given,
        draft,
        types,
        fault: sentence(
          faults.map(({ reason, field }) => ({ field: headings[field] ?? field, reason })),
        ),
      }
    : { given, draft, types, rights: form.data }
}

const headings: Record<string, string> = {
  collections: 'Only these collections',
  from: 'Only from these addresses',
  without: 'Kept from it',
}

async function typesOf(c: Context<DashboardEnv>): Promise<RecordTypes> {
  const [collections, schemas] = await Promise.all([structuredCollections(), c.var.keys.schemas()])
  return { collections, schemas }
}

async function keyOf(c: Context<DashboardEnv, '/:id/*'>) {
  const key = (await c.var.keys.list()).find(({ id }) => id === c.req.param('id'))
  if (!key) throw new ApiError('NOT_FOUND', 'There is no such key.')
  return key
}

// The act may have been done from another window already; the list then says so.
const back = (c: Context<DashboardEnv>) =>
  c.redirect(`${pathOf(c.var.membership?.organisationId ?? '')}/settings/api-keys`, 303)
