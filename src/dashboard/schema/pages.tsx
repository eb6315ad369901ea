import { Hono } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { flashOf } from '../flash.ts'
import { administrators, may } from '../may.ts'
import { kindIn, type OfKind } from './change.ts'
import { retire, retirePage } from './retire.tsx'
import { fieldPage, saveField } from './save-field.tsx'
import { pathOfSchema, SchemaPage } from './schema-page.tsx'

/** Settings, Schema: what is kept of members, volunteers and partners. Everybody may read it, administrators change it by the rules of an import. */
export const schemaPages = new Hono<DashboardEnv>()
  .get('/', (c) => c.redirect(pathOfSchema(c, 'members'), 303))
  .get('/:kind', (c) => schemaPage(c))
  .use('/:kind/*', administrators)
  .get('/:kind/new', (c) => fieldPage(c))
  .post('/:kind/new', (c) => saveField(c))
  .get('/:kind/field', (c) => fieldPage(c, c.req.query('id') ?? ''))
  .post('/:kind/field', (c) => saveField(c))
  .get('/:kind/retire', (c) => retirePage(c, c.req.query('id') ?? ''))
  .post('/:kind/retire', (c) => retire(c))

async function schemaPage(c: OfKind) {
  const kind = kindIn(c)
  const [schemas, acts] = await Promise.all([
    c.var.schemas.list(),
    may(c, 'administer') ? c.var.schemas.audit() : [],
  ])
  const { notice } = flashOf(c)
  return c.html(<SchemaPage c={c} kind={kind} schema={schemas[kind]} notice={notice} acts={acts} />)
}
