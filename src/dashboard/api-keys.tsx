import { type Context, Hono } from 'hono'
import type * as z from 'zod'
import {
  createKey,
  deleteKey,
  type KeyAct,
  listKeys,
  type NewKey,
  reactivateKey,
  revokeKey,
  rotateKey,
} from '../auth/api-keys.ts'
import { listAudit } from '../auth/audit.ts'
import { ApiError } from '../http/errors.ts'
import { ApiKeys } from './api-key-list.tsx'
import { ConfirmDelete, ConfirmRotate } from './confirm-key.tsx'
import { CreateForm, RotateForm } from './key-forms.ts'
import { pathOf } from './page.tsx'
import type { DashboardEnv } from './signed-in.ts'

type KeyContext = Context<DashboardEnv, '/:id/*'>

/** Settings > API Keys: create, list, rotate, revoke, reactivate, delete, and what was done (contract 5). */
export const apiKeyPages = new Hono<DashboardEnv>()
  .get('/', (c) => keysPage(c))
  .post('/', async (c) => {
    const form = CreateForm.safeParse(await c.req.parseBody())
    if (!form.success) return keysPage(c, { fault: faultOf(form.error) })
    const { organisationId, by } = actor(c)
    const { name, expires } = form.data
    return keysPage(c, { made: await createKey(c.env, organisationId, name, by, expires) })
  })
  .get('/:id/rotate', async (c) => c.html(<ConfirmRotate c={c} apiKey={await keyOf(c)} />))
  .post('/:id/rotate', async (c) => {
    const form = RotateForm.safeParse(await c.req.parseBody())
    if (!form.success) return keysPage(c, { fault: faultOf(form.error) })
    const made = await rotateKey(c.env, keyAct(c), form.data.grace)
    return made ? keysPage(c, { made }) : back(c)
  })
  .get('/:id/delete', async (c) => c.html(<ConfirmDelete c={c} apiKey={await keyOf(c)} />))
  .post('/:id/delete', async (c) => {
    await deleteKey(c.env, keyAct(c))
    return back(c)
  })
  .post('/:id/revoke', async (c) => {
    await revokeKey(c.env.DB, keyAct(c))
    return back(c)
  })
  .post('/:id/reactivate', async (c) => {
    await reactivateKey(c.env.DB, keyAct(c))
    return back(c)
  })

async function keysPage(c: Context<DashboardEnv>, said: { made?: NewKey; fault?: string } = {}) {
  const { organisationId } = actor(c)
  const [keys, acts] = await Promise.all([
    listKeys(c.env.DB, organisationId),
    listAudit(c.env.DB, organisationId),
  ])
  return c.html(<ApiKeys c={c} keys={keys} acts={acts} {...said} />, said.fault ? 400 : 200)
}

async function keyOf(c: KeyContext) {
  const { organisationId, id } = keyAct(c)
  const key = (await listKeys(c.env.DB, organisationId)).find((key) => key.id === id)
  if (!key) throw new ApiError('NOT_FOUND', 'There is no such key.')
  return key
}

const keyAct = (c: KeyContext): KeyAct => ({ ...actor(c), id: c.req.param('id') })

function actor(c: Context<DashboardEnv>) {
  const { membership, session } = c.var
  if (!membership || !session) throw new ApiError('FORBIDDEN', 'Sign in first.')
  return { organisationId: membership.organisationId, by: session.name }
}

// The act may have been done from another window already; the list then says so.
const back = (c: Context<DashboardEnv>) =>
  c.redirect(`${pathOf(actor(c).organisationId)}/settings/api-keys`, 303)

const faultOf = (error: z.ZodError) => error.issues.map(({ message }) => message).join(' ')
