import { type Context, Hono } from 'hono'
import type { NewKey } from '../auth/key-acts.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { formFields } from '../http/body.ts'
import { ApiError } from '../model/api-error.ts'
import { ConfirmDelete, ConfirmRotate } from './confirm-key.tsx'
import { faultOf } from './form-fault.ts'
import { CreateForm, RotateForm } from './key-forms.ts'
import { ApiKeys } from './keys.tsx'
import { pathOf } from './page.tsx'

/** Settings > API Keys: create, list, rotate, revoke, reactivate, delete, and what was done (contract 5). */
export const keyPages = new Hono<DashboardEnv>()
  .get('/', (c) => keysPage(c))
  .post('/', async (c) => {
    const form = CreateForm.safeParse(await formFields(c.req))
    if (!form.success) return keysPage(c, { fault: faultOf(form.error) })
    const { name, expires, may } = form.data
    return keysPage(c, { made: await c.var.keys.create(name, expires, may) })
  })
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

async function keysPage(c: Context<DashboardEnv>, said: { made?: NewKey; fault?: string } = {}) {
  const [keys, acts] = await Promise.all([c.var.keys.list(), c.var.keys.audit()])
  return c.html(<ApiKeys c={c} keys={keys} acts={acts} {...said} />, said.fault ? 400 : 200)
}

async function keyOf(c: Context<DashboardEnv, '/:id/*'>) {
  const key = (await c.var.keys.list()).find(({ id }) => id === c.req.param('id'))
  if (!key) throw new ApiError('NOT_FOUND', 'There is no such key.')
  return key
}

// The act may have been done from another window already; the list then says so.
const back = (c: Context<DashboardEnv>) =>
  c.redirect(`${pathOf(c.var.membership?.organisationId ?? '')}/settings/api-keys`, 303)
