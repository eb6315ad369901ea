import type { Context } from 'hono'
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { ApiError, isErrorOf, statuses } from '../../model/api-error.ts'
import {
  changeSavedView,
  createSavedView,
  deleteSavedView,
  reportPage,
  requireSavedView,
  viewPages,
} from '../../store/settings/saved-views.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Confirm } from '../ui/button.tsx'
import type { FormField } from '../ui/fields.tsx'
import { FieldsForm } from '../ui/fields-form.tsx'
import { redirectWithFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { viewActionPath, viewPath, viewsPath } from './view-paths.ts'

/** Saves, renames and deletes views of lists and reports. */
export const routes = new Hono<DashboardEnv>()
  .get('/new', (c) => {
    const { page, query = '' } = c.req.query()
    return renderNewView(c, { page: requirePage(page), query, name: '' })
  })
  .post('/', async (c) => {
    const { page, query, name } = await readFormBody(c.req)
    const input = {
      page: requirePage(page),
      query: String(query ?? ''),
      name: String(name ?? ''),
    }
    try {
      const id = await createSavedView(c.var.store, input)
      const view = await requireSavedView(c.var.store, id)
      return redirectWithFlash(c, viewPath(c, view), { notice: 'Saved.' })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return renderNewView(c, input, error)
    }
  })
  .get('/:id/rename', async (c) => {
    const view = await requireSavedView(c.var.store, c.req.param('id'))
    return renderRename(c, view.id, view.name)
  })
  .post('/:id/rename', async (c) => {
    const id = c.req.param('id')
    const name = String((await readFormBody(c.req)).name ?? '')
    try {
      return await changeView(c, id, { name }, 'Renamed.')
    } catch (error) {
      if (!(error instanceof ApiError) || isErrorOf(error, 'NOT_FOUND')) throw error
      return renderRename(c, id, name, error)
    }
  })
  .post('/:id/query', async (c) => {
    const { query } = await readFormBody(c.req)
    return changeView(c, c.req.param('id'), { query: String(query ?? '') }, 'Saved.')
  })
  .get('/:id/delete', async (c) => {
    const view = await requireSavedView(c.var.store, c.req.param('id'))
    return c.html(
      <Page c={c} title={`Delete “${view.name}”`}>
        <Confirm
          action={viewActionPath(c, view.id, 'delete')}
          confirmLabel={`Delete this ${kindOf(view.page)}`}
          cancelPath={viewPath(c, view)}
        >
          <p>Everyone in the organisation loses it. The records stay as they are.</p>
        </Confirm>
      </Page>,
    )
  })
  .post('/:id/delete', async (c) => {
    const { id, page } = await requireSavedView(c.var.store, c.req.param('id'))
    await deleteSavedView(c.var.store, id)
    const path = page === reportPage ? '/reports' : `/${page}`
    return redirectWithFlash(c, dashboardPath(c, path), { notice: 'Deleted.' })
  })

type NewView = { page: string; query: string; name: string }

const nameField: FormField = {
  name: 'name',
  label: 'Name',
  help: 'Everyone in the organisation sees it.',
  attributes: { type: 'text', required: true, maxlength: 80, autocomplete: 'off' },
}

const renderNewView = (
  c: Context<DashboardEnv>,
  { page, query, name }: NewView,
  error?: ApiError,
) =>
  c.html(
    <Page c={c} title={`Save this ${kindOf(page)}`}>
      <FieldsForm
        action={viewsPath(c)}
        hidden={{ page, query }}
        fields={[nameField]}
        values={{ name }}
        errors={{ name: describeError(error) }}
        cancelPath={`${dashboardPath(c, `/${page}`)}?${new URLSearchParams(query)}`}
      />
    </Page>,
    error ? statuses[error.type] : 200,
  )

async function renderRename(c: Context<DashboardEnv>, id: string, name: string, error?: ApiError) {
  const view = await requireSavedView(c.var.store, id)
  return c.html(
    <Page c={c} title={`Rename “${view.name}”`}>
      <FieldsForm
        action={viewActionPath(c, id, 'rename')}
        fields={[nameField]}
        values={{ name }}
        errors={{ name: describeError(error) }}
        cancelPath={viewPath(c, view)}
      />
    </Page>,
    error ? statuses[error.type] : 200,
  )
}

async function changeView(
  c: Context<DashboardEnv>,
  id: string,
  changes: Parameters<typeof changeSavedView>[2],
  notice: string,
) {
  await changeSavedView(c.var.store, id, changes)
  const view = await requireSavedView(c.var.store, id)
  return redirectWithFlash(c, viewPath(c, view), { notice })
}

function requirePage(page: unknown): string {
  const known = viewPages.find((name) => name === page)
  if (known === undefined) throw new ApiError('BAD_REQUEST', 'This page cannot be saved.')
  return known
}

const kindOf = (page: string) => (page === reportPage ? 'report' : 'view')

const describeError = (error: ApiError | undefined) => error?.errors[0]?.message ?? error?.message
