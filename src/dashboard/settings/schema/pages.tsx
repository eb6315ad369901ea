import { Hono } from 'hono'
import { can, requireAdministrator } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { takeFlash } from '../../ui/flash.ts'
import { parseKind, type SchemaContext } from './change.ts'
import { renderRetirePage, retireField } from './retire.tsx'
import { renderFieldPage, saveField } from './save-field.tsx'
import { SchemaPage, schemaPath } from './schema-page.tsx'

/** Settings, Schema: the fields of members, volunteers and partners. Everyone may read them; administrators change them under the rules of an import. */
export const schemaRoutes = new Hono<DashboardEnv>()
  .get('/', (c) => c.redirect(schemaPath(c, 'members'), 303))
  .get('/:kind', (c) => renderSchemaPage(c))
  .use('/:kind/*', requireAdministrator)
  .get('/:kind/new', (c) => renderFieldPage(c))
  .post('/:kind/new', (c) => saveField(c))
  .get('/:kind/field', (c) => renderFieldPage(c, c.req.query('id') ?? ''))
  .post('/:kind/field', (c) => saveField(c))
  .get('/:kind/retire', (c) => renderRetirePage(c, c.req.query('id') ?? ''))
  .post('/:kind/retire', (c) => retireField(c))

async function renderSchemaPage(c: SchemaContext) {
  const kind = parseKind(c)
  const [schemas, auditEntries] = await Promise.all([
    c.var.schemas.list(),
    can(c, 'administer') ? c.var.schemas.audit() : [],
  ])
  const { notice } = takeFlash(c)
  return c.html(
    <SchemaPage
      c={c}
      kind={kind}
      schema={schemas[kind]}
      notice={notice}
      auditEntries={auditEntries}
    />,
  )
}
