import type { Context } from 'hono'
import type * as z from 'zod'
import { findPresetById, type KeyPreset } from '../../../access/key-presets.ts'
import {
  type RecordTypes,
  restrictionNames,
  restrictionTable,
} from '../../../access/restrictions.ts'
import { validateRestrictions } from '../../../access/validate-restrictions.ts'
import { changeKey, type KeyAccess } from '../../../admin/keys.ts'
import { organisationKeys } from '../../../admin/organisation/keys.ts'
import { readFormBody } from '../../../http/body.ts'
import { Hono } from '../../../http/hono.ts'
import { ApiError } from '../../../model/api-error.ts'
import { toValidationErrors } from '../../../model/validation-error.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import { loadCollections } from '../../../resources/collections.ts'
import { revokeAllKeys } from '../../../store/settings/keys.ts'
import { type ListedKey, listKeys } from '../../../store/settings/list-keys.ts'
import { readUsage } from '../../../store/settings/usage.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { actionRoutes } from '../../ui/actions.tsx'
import { readItems } from '../../ui/fields.tsx'
import {
  type FieldErrors,
  type FieldValues,
  groupErrorsByField,
  hasErrors,
  validateForm,
} from '../../ui/form-values.ts'
import { redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { keysPath } from '../../ui/paths.ts'
import { keyActions } from './actions.tsx'
import { newKeyFields, permissionField, restrictionFields } from './key-fields.tsx'
import { buildKeyDraft, KeyAccessForm, NewKeyForm, toKeyDraft } from './key-form.ts'
import { ChangeKeyPage, KeyPage, KeysPage, keysCrumbs, NewKeyPage } from './pages.tsx'
import { KeyPreview } from './preview.tsx'
import { ConfirmRevokeAll } from './revoke-all.tsx'

/** The settings of API keys: list, create, change, rotate, revoke, reactivate and delete. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => renderKeysPage(c))
  .post('/', async (c) => {
    const fields = await readFormBody(c.req)
    const preset = findPresetById(fields.preset)
    const form = validateForm(NewKeyForm, fields)
    if ('errors' in form)
      return renderKeysPage(c, {
        preset: preset.id,
        draft: readItems(newKeyFields, fields),
        errors: form.errors,
      })
    return createKey(c, form.value, preset)
  })
  .get('/new', async (c) => {
    const { preset, name = '', expires = '' } = c.req.query()
    const draft = buildKeyDraft(findPresetById(preset), { name: name.slice(0, 100), expires })
    return renderNewKeyPage(c, {
      draft,
      access: KeyAccessForm.parse(draft),
      types: await loadRecordTypes(c),
    })
  })
  .post('/new', async (c) => {
    const { fields, ...submitted } = await parseKeyForm(c)
    const form = validateForm(NewKeyForm, fields)
    if ('errors' in form || !submitted.access) {
      const otherErrors = 'errors' in form ? form.errors : {}
      return renderNewKeyPage(c, { ...submitted, errors: { ...submitted.errors, ...otherErrors } })
    }
    return createKey(c, form.value, submitted.access)
  })
  .post('/new/preview', async (c) => renderNewKeyPage(c, await parseKeyForm(c)))
  .get('/revoke-all', async (c) => {
    const keys = (await listKeys(c.var.store)).filter(({ state }) => state === 'active')
    return keys.length > 0
      ? c.html(<ConfirmRevokeAll c={c} keys={keys} />)
      : c.redirect(keysPath(c), 303)
  })
  .post('/revoke-all', async (c) => {
    const { length: count } = await revokeAllKeys(c.var.store)
    const notice = pluralise(count, 'One key was revoked.', `${count} keys were revoked.`)
    return redirectWithFlash(c, keysPath(c), { notice })
  })
  .get('/:id', async (c) => {
    const key = await findKey(c, c.req.param('id'))
    const [usage, types] = await Promise.all([
      readUsage(c.var.store, { days: 30, daily: false }),
      loadRecordTypes(c),
    ])
    const ofKey = usage.filter(({ keyId }) => keyId === key.id)
    const sum = (name: 'requests' | 'records') =>
      ofKey.reduce((total, entry) => total + entry[name], 0)
    return c.html(
      <KeyPage
        c={c}
        apiKey={key}
        usage={{ requests: sum('requests'), records: sum('records') }}
        preview={<KeyPreview access={KeyAccessForm.parse(toKeyDraft(key))} types={types} />}
      />,
    )
  })
  .get('/:id/permissions', async (c) => {
    const key = await findKey(c, c.req.param('id'))
    const draft = toKeyDraft(key)
    return renderChangePage(c, key, {
      draft,
      access: KeyAccessForm.parse(draft),
      types: await loadRecordTypes(c),
    })
  })
  .post('/:id/permissions', async (c) => {
    const key = await findKey(c, c.req.param('id'))
    const form = await parseKeyForm(c)
    if (!form.access) return renderChangePage(c, key, form)
    await changeKey(c.var.store, key.id, form.access)
    return redirectWithFlash(c, keysPath(c), {
      notice: `The permissions of ${key.name} were changed.`,
    })
  })
  .post('/:id/permissions/preview', async (c) =>
    renderChangePage(c, await findKey(c, c.req.param('id')), await parseKeyForm(c)),
  )
  .route(
    '/',
    actionRoutes({ actions: keyActions, find: findKey, listPath: keysPath, crumbs: keysCrumbs }),
  )

async function createKey(
  c: Context<DashboardEnv>,
  { name, expires }: z.infer<typeof NewKeyForm>,
  { permissions, restrictions }: Pick<KeyPreset, 'restrictions'> & Pick<KeyAccess, 'permissions'>,
) {
  const { key } = await c.var
    .administer(organisationKeys)
    .create(name, expires, { permissions, restrictions })
  return redirectWithFlash(c, keysPath(c), { secret: key })
}

/** Renders the page of keys, with the values of a rejected form. */
async function renderKeysPage(
  c: Context<DashboardEnv>,
  form: Pick<Parameters<typeof KeysPage>[0], 'preset' | 'draft' | 'errors'> = {},
) {
  const keys = await listKeys(c.var.store)
  return c.html(
    <KeysPage c={c} keys={keys} flash={takeFlash(c)} {...form} />,
    responseStatus(form.errors),
  )
}

type SubmittedKeyForm = {
  draft: FieldValues
  access?: KeyAccess | undefined
  errors?: FieldErrors
  types: RecordTypes
}

function renderNewKeyPage(c: Context<DashboardEnv>, { types, access, ...form }: SubmittedKeyForm) {
  const preview = access && <KeyPreview access={access} types={types} />
  return c.html(<NewKeyPage c={c} preview={preview} {...form} />, responseStatus(form.errors))
}

function renderChangePage(
  c: Context<DashboardEnv>,
  key: ListedKey,
  { types, access, ...form }: SubmittedKeyForm,
) {
  const preview = access && <KeyPreview access={access} types={types} />
  return c.html(
    <ChangeKeyPage c={c} apiKey={key} preview={preview} {...form} />,
    responseStatus(form.errors),
  )
}

const responseStatus = (errors: FieldErrors = {}) => (hasErrors(errors) ? 400 : 200)

/** Parses a submitted key form. Returns its values with either the access or the errors. */
async function parseKeyForm(
  c: Context<DashboardEnv>,
): Promise<SubmittedKeyForm & { fields: unknown }> {
  const fields = await readFormBody(c.req)
  const types = await loadRecordTypes(c)
  const draft = readItems([...newKeyFields, permissionField, ...restrictionFields], fields)
  const form = KeyAccessForm.safeParse(fields)
  const errors = form.success
    ? validateRestrictions(form.data.restrictions, types)
    : toValidationErrors(form.error, fields)
  return errors.length > 0
    ? { fields, draft, types, errors: groupErrorsByField(errors, toFormField) }
    : { fields, draft, types, access: form.data }
}

async function loadRecordTypes(c: Context<DashboardEnv>): Promise<RecordTypes> {
  const [collections, schemas] = await Promise.all([
    loadCollections(),
    c.var.administer(organisationKeys).schemas(),
  ])
  return { collections, schemas }
}

async function findKey(c: Context<DashboardEnv>, id: string) {
  const key = (await listKeys(c.var.store)).find((listed) => listed.id === id)
  if (!key) throw new ApiError('NOT_FOUND', 'This key does not exist.')
  return key
}

/** The form fields that show the errors of restrictions. */
const errorFields = new Map<string, string | undefined>(
  restrictionNames.flatMap((name) => {
    const restriction = restrictionTable[name]
    return 'fields' in restriction ? [[name, restriction.fields.at(-1)?.name]] : []
  }),
)

const toFormField = (path: string) => {
  const [field = ''] = path.split('.')
  return errorFields.get(field) ?? field
}
