import { type Context, Hono } from 'hono'
import { type RecordTypes, validateRestrictions } from '../../../access/validate-restrictions.ts'
import type { KeyAccess } from '../../../admin/keys.ts'
import type { ListedKey } from '../../../admin/list-keys.ts'
import { readForm } from '../../../http/body.ts'
import { ApiError, invalidInput } from '../../../model/api-error.ts'
import { toValidationErrors, validate } from '../../../model/validation-error.ts'
import { loadCollections } from '../../../resources/collections.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { groupErrorsByField } from '../../ui/form.tsx'
import { redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { keysPath } from '../../ui/paths.ts'
import { ConfirmDelete, ConfirmRevoke, ConfirmRotate } from './confirm.tsx'
import {
  assistantKeyDraft,
  emptyKeyDraft,
  KeyAccessForm,
  KeyDraft,
  type KeyErrors,
  NewKeyForm,
  RotateKeyForm,
  toKeyDraft,
} from './key-form.tsx'
import { ChangeKeyPage, KeysPage } from './pages.tsx'
import { KeyPreview } from './preview.tsx'

/** The settings of API keys: list, create, change, rotate, revoke, reactivate and delete, with the audit log (contract 5). */
export const keyRoutes = new Hono<DashboardEnv>()
  .get('/', (c) =>
    renderKeysPage(c, c.req.query('for') === 'assistant' ? { draft: assistantKeyDraft } : {}),
  )
  .post('/', async (c) => {
    const { fields, draft, access, errors } = await parseKeyForm(c)
    const form = NewKeyForm.safeParse(fields)
    if (!form.success || !access) {
      const otherErrors = form.success
        ? {}
        : groupErrorsByField(toValidationErrors(form.error, fields), toFormField)
      return renderKeysPage(c, { draft, errors: { ...errors, ...otherErrors } })
    }
    const { name, expires } = form.data
    const { key } = await c.var.keys.create(name, expires, access)
    return redirectWithFlash(c, keysPath(c), { secret: key })
  })
  .post('/preview', async (c) => {
    const { draft, access, errors, types } = await parseKeyForm(c)
    return renderKeysPage(c, { draft, errors, preview: access && { access, types } })
  })
  .get('/:id/permissions', async (c) => {
    const key = await findKey(c)
    const draft = toKeyDraft(key)
    return renderChangePage(c, key, {
      draft,
      access: KeyAccessForm.parse(draft),
      types: await loadRecordTypes(c),
    })
  })
  .post('/:id/permissions', async (c) => {
    const key = await findKey(c)
    const form = await parseKeyForm(c)
    if (!form.access) return renderChangePage(c, key, form)
    await c.var.keys.change(key.id, form.access)
    return redirectWithFlash(c, keysPath(c), {
      notice: `The permissions of ${key.name} were changed.`,
    })
  })
  .post('/:id/permissions/preview', async (c) =>
    renderChangePage(c, await findKey(c), await parseKeyForm(c)),
  )
  .get('/:id/rotate', async (c) => c.html(<ConfirmRotate c={c} apiKey={await findKey(c)} />))
  .post('/:id/rotate', async (c) => {
    const form = validate(RotateKeyForm, await readForm(c.req))
    if ('errors' in form) throw invalidInput(form.errors)
    const rotated = await c.var.keys.rotate(c.req.param('id'), form.value.gracePeriod)
    return rotated ? redirectWithFlash(c, keysPath(c), { secret: rotated.key }) : redirectToKeys(c)
  })
  .get('/:id/delete', async (c) => c.html(<ConfirmDelete c={c} apiKey={await findKey(c)} />))
  .post('/:id/delete', async (c) => {
    await c.var.keys.delete(c.req.param('id'))
    return redirectToKeys(c)
  })
  .get('/:id/revoke', async (c) => c.html(<ConfirmRevoke c={c} apiKey={await findKey(c)} />))
  .post('/:id/revoke', async (c) => {
    await c.var.keys.revoke(c.req.param('id'))
    return redirectToKeys(c)
  })
  .post('/:id/reactivate', async (c) => {
    await c.var.keys.reactivate(c.req.param('id'))
    return redirectToKeys(c)
  })

type Preview = { access: KeyAccess; types: RecordTypes }

/** Renders the page of keys, with the values of a rejected or previewed form. */
async function renderKeysPage(
  c: Context<DashboardEnv>,
  form: { draft?: KeyDraft; errors?: KeyErrors; preview?: Preview | undefined } = {},
) {
  const { preview, ...submitted } = form
  const { keys: organisationKeys } = c.var
  const [keys, usage, auditEntries, assistantCalls] = await Promise.all([
    organisationKeys.list(),
    organisationKeys.usage(),
    organisationKeys.audit(),
    organisationKeys.assistantCalls(),
  ])
  const previewSection = preview && <KeyPreview {...preview} />
  return c.html(
    <KeysPage
      c={c}
      keys={keys}
      usage={usage}
      auditEntries={auditEntries}
      assistantCalls={assistantCalls}
      flash={takeFlash(c)}
      preview={previewSection}
      {...submitted}
    />,
    responseStatus(form.errors),
  )
}

type SubmittedKeyForm = {
  draft: KeyDraft
  access?: KeyAccess | undefined
  errors?: KeyErrors
  types: RecordTypes
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

const responseStatus = (errors: KeyErrors = {}) => (Object.keys(errors).length > 0 ? 400 : 200)

/** Parses a submitted key form. Returns its values with either the access or the errors. */
async function parseKeyForm(
  c: Context<DashboardEnv>,
): Promise<SubmittedKeyForm & { fields: unknown }> {
  const fields = await readForm(c.req)
  const types = await loadRecordTypes(c)
  const draft = KeyDraft.safeParse(fields).data ?? emptyKeyDraft
  const form = KeyAccessForm.safeParse(fields)
  const errors = form.success
    ? validateRestrictions(form.data.restrictions, types)
    : toValidationErrors(form.error, fields)
  return errors.length > 0
    ? { fields, draft, types, errors: groupErrorsByField(errors, toFormField) }
    : { fields, draft, types, access: form.data }
}

async function loadRecordTypes(c: Context<DashboardEnv>): Promise<RecordTypes> {
  const [collections, schemas] = await Promise.all([loadCollections(), c.var.keys.schemas()])
  return { collections, schemas }
}

async function findKey(c: Context<DashboardEnv, '/:id/*'>) {
  const key = (await c.var.keys.list()).find(({ id }) => id === c.req.param('id'))
  if (!key) throw new ApiError('NOT_FOUND', 'This key does not exist.')
  return key
}

// Another window may have completed the action first, so the list shows the current state.
const redirectToKeys = (c: Context<DashboardEnv>) => c.redirect(keysPath(c), 303)

/** The form fields with names that differ from their restrictions. */
const formFields: Readonly<Record<string, string>> = { hideFields: 'hiddenFields' }

const toFormField = (path: string) => {
  const [field = ''] = path.split('.')
  return formFields[field] ?? field
}
