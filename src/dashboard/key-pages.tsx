import { type Context, Hono } from 'hono'
import type { KeyRights } from '../auth/key-acts.ts'
import type { ShownKey } from '../auth/shown-keys.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { formFields } from '../http/body.ts'
import { faultsOfLimits, type RecordTypes } from '../limits/faults.ts'
import { ApiError } from '../model/api-error.ts'
import { faultsOf, sentence } from '../model/checked.ts'
import { structuredCollections } from '../resources/collections.ts'
import { ChangeKey } from './change-key.tsx'
import { ConfirmDelete, ConfirmRevoke, ConfirmRotate } from './confirm-key.tsx'
import { flashOf, redirectTelling } from './flash.ts'
import { faultsByField } from './form-faults.ts'
import {
  CreateForm,
  draftOf,
  KeyDraft,
  type KeyFaults,
  newDraft,
  RightsForm,
  RotateForm,
} from './key-forms.ts'
import { KeyPreview } from './key-preview.tsx'
import { ApiKeys } from './keys.tsx'
import { pathOfKeys } from './page.tsx'

/** Settings, API keys: create, list, change, rotate, revoke, reactivate, delete, and what was done (contract 5). */
export const keyPages = new Hono<DashboardEnv>()
  .get('/', (c) => keysPage(c))
  .post('/', async (c) => {
    const { given, draft, rights, faults } = await asked(c)
    const form = CreateForm.safeParse(given)
    if (!form.success || !rights) {
      const others = form.success ? {} : faultsByField(faultsOf(form.error), fieldOf)
      return keysPage(c, { draft, faults: { ...faults, ...others } })
    }
    const { name, expires } = form.data
    const { key } = await c.var.keys.create(name, expires, rights)
    return redirectTelling(c, pathOfKeys(c), { secret: key })
  })
  .post('/preview', async (c) => {
    const { draft, rights, faults, types } = await asked(c)
    return keysPage(c, { draft, faults, preview: rights && { rights, types } })
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
    return redirectTelling(c, pathOfKeys(c), { notice: `The rights of ${key.name} are changed.` })
  })
  .post('/:id/rights/preview', async (c) => changePage(c, await keyOf(c), await asked(c)))
  .get('/:id/rotate', async (c) => c.html(<ConfirmRotate c={c} apiKey={await keyOf(c)} />))
  .post('/:id/rotate', async (c) => {
    const form = RotateForm.safeParse(await formFields(c.req))
    if (!form.success) throw new ApiError('BAD_REQUEST', sentence(faultsOf(form.error)))
    const made = await c.var.keys.rotate(c.req.param('id'), form.data.grace)
    return made ? redirectTelling(c, pathOfKeys(c), { secret: made.key }) : back(c)
  })
  .get('/:id/delete', async (c) => c.html(<ConfirmDelete c={c} apiKey={await keyOf(c)} />))
  .post('/:id/delete', async (c) => {
    await c.var.keys.delete(c.req.param('id'))
    return back(c)
  })
  .get('/:id/revoke', async (c) => c.html(<ConfirmRevoke c={c} apiKey={await keyOf(c)} />))
  .post('/:id/revoke', async (c) => {
    await c.var.keys.revoke(c.req.param('id'))
    return back(c)
  })
  .post('/:id/reactivate', async (c) => {
    await c.var.keys.reactivate(c.req.param('id'))
    return back(c)
  })

type Previewed = { rights: KeyRights; types: RecordTypes }

/** The page of keys; of a form that was refused or is to be previewed, with that as it was filled in. */
async function keysPage(
  c: Context<DashboardEnv>,
  form: { draft?: KeyDraft; faults?: KeyFaults; preview?: Previewed | undefined } = {},
) {
  const { preview, ...filled } = form
  const { keys: own } = c.var
  const [keys, usage, acts] = await Promise.all([own.list(), own.usage(), own.audit()])
  const shown = preview && <KeyPreview {...preview} />
  return c.html(
    <ApiKeys
      c={c}
      keys={keys}
      usage={usage}
      acts={acts}
      told={flashOf(c)}
      preview={shown}
      {...filled}
    />,
    statusOf(form.faults),
  )
}

type Asked = {
  draft: KeyDraft
  rights?: KeyRights | undefined
  faults?: KeyFaults
  types: RecordTypes
}

function changePage(c: Context<DashboardEnv>, key: ShownKey, { types, rights, ...form }: Asked) {
  const preview = rights && <KeyPreview rights={rights} types={types} />
  return c.html(<ChangeKey c={c} apiKey={key} preview={preview} {...form} />, statusOf(form.faults))
}

const statusOf = (faults: KeyFaults = {}) => (Object.keys(faults).length > 0 ? 400 : 200)

/** The form of a key that was sent: as it was filled in, and the rights it says or what is wrong with them. */
async function asked(c: Context<DashboardEnv>): Promise<Asked & { given: unknown }> {
  const given = await formFields(c.req)
  const types = await typesOf(c)
  const draft = KeyDraft.safeParse(given).data ?? newDraft
  const form = RightsForm.safeParse(given)
  const faults = form.success ? faultsOfLimits(form.data.limits, types) : faultsOf(form.error)
  return faults.length > 0
    ? { given, draft, types, faults: faultsByField(faults, fieldOf) }
    : { given, draft, types, rights: form.data }
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
const back = (c: Context<DashboardEnv>) => c.redirect(pathOfKeys(c), 303)

// What is kept from a key by name is typed in; the kinds are ticked.
const fieldOf = (path: string) => {
  const [field = ''] = path.split('.')
  return field === 'without' ? 'fields' : field
}
