import { type Context, Hono } from 'hono'
import type * as z from 'zod'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { formFields } from '../http/body.ts'
import { ApiError } from '../model/api-error.ts'
import { faultsOf, sentence } from '../model/checked.ts'
import { ConfirmDelete, ConfirmRevoke, ConfirmRotate } from './confirm-key.tsx'
import { flashOf, redirectTelling } from './flash.ts'
import { CreateForm, RotateForm } from './key-forms.ts'
import { ApiKeys } from './keys.tsx'
import { pathOf } from './page.tsx'

/** Settings, API keys: create, list, rotate, revoke, reactivate, delete, and what was done (contract 5). */
export const keyPages = new Hono<DashboardEnv>()
  .get('/', (c) => keysPage(c))
  .post('/', async (c) => {
    const given = await formFields(c.req)
    const form = CreateForm.safeParse(given)
    if (!form.success) return keysPage(c, { given, faults: faultsByField(form.error) })
    const { name, expires, may } = form.data
    const { key } = await c.var.keys.create(name, expires, may)
    return redirectTelling(c, pathOfKeys(c), { secret: key })
  })
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

/** The page of keys; with a form that was refused, that is on it as it was given. */
async function keysPage(
  c: Context<DashboardEnv>,
  refused?: { given: Record<string, unknown>; faults: Record<string, string> },
) {
  const [keys, acts] = await Promise.all([c.var.keys.list(), c.var.keys.audit()])
  const { secret } = flashOf(c)
  return c.html(
    <ApiKeys c={c} keys={keys} acts={acts} secret={secret} refused={refused} />,
    refused ? 400 : 200,
  )
}

async function keyOf(c: Context<DashboardEnv, '/:id/*'>) {
  const key = (await c.var.keys.list()).find(({ id }) => id === c.req.param('id'))
  if (!key) throw new ApiError('NOT_FOUND', 'There is no such key.')
  return key
}

const pathOfKeys = (c: Context<DashboardEnv>) =>
  `${pathOf(c.var.membership?.organisationId ?? '')}/settings/api-keys`

// The act may have been done from another window already; the list then says so.
const back = (c: Context<DashboardEnv>) => c.redirect(pathOfKeys(c), 303)

const faultsByField = (error: z.ZodError) =>
  Object.fromEntries(
    faultsOf(error)
      .reverse()
      .map(({ field, reason }) => [field.split('.')[0], reason]),
  )
