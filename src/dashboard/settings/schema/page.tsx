import type { Context } from 'hono'
import { organisationSchemas } from '../../../admin/organisation/schemas.ts'
import { Hono } from '../../../http/hono.ts'
import {
  derivedIds,
  isPostcodeField,
  withoutDerivedFields,
} from '../../../model/properties/area-fields.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { fieldTypes } from '../../../model/properties/field-types.ts'
import { type Field, type Kind, kindNames, type Schema } from '../../../model/properties/schema.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { can, requireAdministrator } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Menu } from '../../ui/menu.tsx'
import { Notice, takeFlash } from '../../ui/notice.tsx'
import { Page, Tabs } from '../../ui/page.tsx'
import { schemaPath } from '../../ui/paths.ts'
import { DataTable, type TableColumn } from '../../ui/table.tsx'
import { parseKind, type SchemaContext } from './change.ts'
import { renderRetirePage, retireField } from './retire.tsx'
import { renderFieldPage, saveField } from './save-field.tsx'

/** The settings of the schemas of members, volunteers and partners. Every user may read them; administrators may change them under the rules of an import. */
export const routes = new Hono<DashboardEnv>()
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
  const schemas = await c.var.administer(organisationSchemas).list()
  const { notice } = takeFlash(c)
  return c.html(<SchemaPage c={c} kind={kind} schema={schemas[kind]} notice={notice} />)
}

type Props = {
  c: Context<DashboardEnv>
  kind: Kind
  schema: Schema | undefined
  notice: string | undefined
}

/** Renders a person kind's fields in display order, with buttons for administrators. */
function SchemaPage({ c, kind, schema, notice }: Props) {
  const canEdit = can(c, 'administer')
  const path = schemaPath(c, kind)
  const fields = schema ? withoutDerivedFields(schema.fields) : []
  return (
    <Page
      c={c}
      title="Fields"
      actions={
        canEdit && (
          <a class="button primary" href={`${path}/new`}>
            Add field
          </a>
        )
      }
    >
      <Notice message={notice} />
      <Tabs
        label="Kinds of people"
        tabs={kindNames.map((otherKind) => ({
          name: toLabel(otherKind),
          href: schemaPath(c, otherKind),
          isCurrent: otherKind === kind,
        }))}
      />
      {fields.length === 0 ? (
        <p>
          There are no fields yet.{' '}
          {canEdit ? `Add one before you create ${kind}.` : 'An administrator can add them.'}
        </p>
      ) : (
        <FieldTable path={path} fields={fields} canEdit={canEdit} />
      )}
    </Page>
  )
}

type TableProps = { path: string; fields: readonly Field[]; canEdit: boolean }

function FieldTable({ path, fields, canEdit }: TableProps) {
  const columns: readonly TableColumn<Field>[] = [
    {
      heading: 'Field',
      cell: (field) => (
        <>
          {canEdit ? (
            <a href={`${path}/field?${idQuery(field)}`} aria-label={`Change ${field.label}`}>
              {field.label}
            </a>
          ) : (
            field.label
          )}
          <small>
            {' '}
            {field.id !== field.label && <code>{field.id}</code>}
            {isPostcodeField(field) &&
              `with ${derivedIds(field.id).length} areas, such as the ward`}
          </small>
        </>
      ),
    },
    { heading: 'Type', cell: ({ type }) => fieldTypes[type].label },
    { heading: 'Options', cell: (field) => <Options field={field} /> },
  ]
  const actions: TableColumn<Field> = {
    heading: 'Actions',
    isRightAligned: true,
    cell: (field) => <FieldMenu path={path} field={field} />,
  }
  return (
    <DataTable label="Fields" columns={canEdit ? [...columns, actions] : columns} rows={fields} />
  )
}

const maxShownOptions = 6

function Options({ field: { options = [] } }: { field: Field }) {
  if (options.length === 0) return <>–</>
  const shownOptions = options.slice(0, maxShownOptions).map(({ label }) => (
    <>
      <span class="tag">{label}</span>{' '}
    </>
  ))
  const hiddenCount = options.length - maxShownOptions
  return (
    <>
      {shownOptions}
      {hiddenCount > 0 && <small>and {formatNumber(hiddenCount)} more</small>}
    </>
  )
}

const idQuery = ({ id }: Field) => new URLSearchParams({ id })

function FieldMenu({ path, field }: { path: string; field: Field }) {
  return (
    <Menu label={`Actions for ${field.label}`} isRare class="plain">
      <li>
        <a href={`${path}/field?${idQuery(field)}`}>Change</a>
      </li>
      <li class="apart">
        <a href={`${path}/retire?${idQuery(field)}`}>Retire</a>
      </li>
    </Menu>
  )
}
