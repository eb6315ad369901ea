import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { derivedIds, isPostcodeField, ownFields } from '../../geography/enrichment.ts'
import { type Field, type Kind, kindNames, type Schema } from '../../model/schema.ts'
import type { AuditRecord } from '../../store/audit.ts'
import { Ask } from '../act.tsx'
import { may } from '../may.ts'
import { Page, pathIn, Wide } from '../page.tsx'
import { Headings } from '../parts/headings.tsx'
import { Said } from '../parts/said.tsx'
import { WhatWasDone } from '../what-was-done.tsx'
import { inWords } from '../words.ts'

type Props = {
  c: Context<DashboardEnv>
  kind: Kind
  schema: Schema | undefined
  notice: string | undefined
  acts: readonly AuditRecord[]
}

/** Where the schema of a kind is. */
export const pathOfSchema = (c: Context<DashboardEnv>, kind: Kind) =>
  pathIn(c, `/settings/schema/${kind}`)

/** The fields that people of a kind have, in display order; for administrators, the ways to change them. */
export function SchemaPage({ c, kind, schema, notice, acts }: Props) {
  const mayChange = may(c, 'administer')
  const path = pathOfSchema(c, kind)
  const fields = schema ? ownFields(schema.fields) : []
  return (
    <Page
      c={c}
      title="Schema"
      beside={
        mayChange && (
          <a class="button main" href={`${path}/new`}>
            Add a field
          </a>
        )
      }
    >
      <Said notice={notice} />
      <nav aria-label="Whose fields">
        <ul class="tabs">
          {kindNames.map((one) => (
            <li>
              <a href={pathOfSchema(c, one)} aria-current={one === kind ? 'page' : undefined}>
                {inWords(one)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section>
        <h2>What is kept of {kind}</h2>
        {fields.length === 0 ? (
          <p>
            There are no fields yet.{' '}
            {mayChange
              ? `Until there are, no ${kind} can be kept.`
              : 'An administrator can add them.'}
          </p>
        ) : (
          <FieldTable path={path} fields={fields} mayChange={mayChange} />
        )}
      </section>
      {mayChange && <WhatWasDone acts={acts} />}
    </Page>
  )
}

type TableProps = { path: string; fields: readonly Field[]; mayChange: boolean }

function FieldTable({ path, fields, mayChange }: TableProps) {
  const headings = ['Label', 'Id', 'Type', 'Options', ...(mayChange ? ['Change'] : [])]
  return (
    <Wide label="Fields" stack>
      <table>
        <Headings of={headings} />
        <tbody>
          {fields.map((field) => (
            <tr>
              <th scope="row">
                {field.label}
                {isPostcodeField(field) && (
                  <small>
                    with {derivedIds(field.id).length} areas, such as the ward, which the service
                    looks up
                  </small>
                )}
              </th>
              <td data-label="Id">
                <code>{field.id}</code>
              </td>
              <td data-label="Type">{typeInWords(field.type)}</td>
              <td data-label="Options">
                <Options of={field} />
              </td>
              {mayChange && (
                <td class="together">
                  <Changes path={path} field={field} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

const mostShown = 6

function Options({ of: { options = [] } }: { of: Field }) {
  if (options.length === 0) return <>–</>
  const shown = options.slice(0, mostShown).map(({ label }) => <span class="tag">{label}</span>)
  const more = options.length - mostShown
  return (
    <>
      {shown}
      {more > 0 && <small>and {more.toLocaleString('en-GB')} more</small>}
    </>
  )
}

function Changes({ path, field: { id, label } }: { path: string; field: Field }) {
  const query = new URLSearchParams({ id })
  return (
    <>
      <Ask href={`${path}/field?${query}`} label="Change" name={label} />
      <Ask href={`${path}/retire?${query}`} label="Retire" name={label} />
    </>
  )
}

/** A type of field as people call it. */
export const typeInWords = (type: Field['type']): string => names[type] ?? inWords(type)

const names: Partial<Record<Field['type'], string>> = {
  select: 'One of its options',
  multipleSelect: 'Several of its options',
  selectAndOther: 'One of its options, or another text',
  boolean: 'Yes or no',
  email: 'E-mail address',
  phone: 'Telephone number',
  phoneNumber: 'Telephone number (phoneNumber)',
  uniqueId: 'Number or code that nobody else has',
  tags: 'Tags',
  custom: 'Text of another system',
  divider: 'Heading, without a value',
}
