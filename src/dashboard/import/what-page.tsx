import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import type { Table } from '../../import/tables/table.ts'
import type { AskedForm } from '../../import/tabular/asked-forms.ts'
import { described } from '../../import/tabular/described.ts'
import type { Mapping } from '../../import/tabular/mapping.ts'
import type { Inspected } from '../../import/tabular/prepare.ts'
import { counted } from '../../import/tabular/reading.ts'
import { collectionNames } from '../../model/collection-names.ts'
import { Field } from '../parts/field.tsx'
import { inWords } from '../words.ts'
import type { Form } from './form.ts'
import { Acts, Frame } from './frame.tsx'

type Props = {
  c: Context<DashboardEnv>
  form: Form
  table: Table
  /** What the file was taken for, if that could be told. */
  inspected?: Inspected | undefined
  mapping?: Mapping | undefined
  /** Whether it is read as the last file of its kind was. */
  isKept: boolean
  collection: string | undefined
  /** The forms that the rows may answer. */
  forms: readonly AskedForm[]
  faults: { collection?: string; form?: string }
}

/** Says what the file is, and asks what its rows are where that may be otherwise. */
export function WhatPage(props: Props) {
  const { c, form, table, inspected, mapping, isKept, collection, forms, faults } = props
  const { format, headings, headingLine } = table
  const { proposal, because } = inspected ?? {}
  const answered = form.one('form') || (mapping ?? proposal?.mapping)?.same.surveyId
  const sheets = format.kind === 'xlsx' ? format.sheets : []
  return (
    <Frame
      c={c}
      step="what"
      title="What the file is"
      form={form}
      mapping={mapping && JSON.stringify(mapping)}
      rows={proposal?.rows}
    >
      <section>
        <dl class="facts">
          <Fact name="File" value={form.pasted ? 'Pasted rows' : (form.source?.name ?? '')} />
          <Fact name="Format" value={described(format)} />
          {proposal && <Fact name="Rows" value={proposal.rows.toLocaleString('en-GB')} />}
          <Fact
            name="Columns"
            value={`${counted(headings.length, 'column')}${headingLine > 0 ? `; the headings are in line ${headingLine}` : ''}: ${brief(headings)}`}
          />
          {proposal?.system && <Fact name="Exported by" value={proposal.system} />}
        </dl>
      </section>
      <section>
        {isKept && (
          <p>
            A file with these headings was imported before, and this one will be read the same way.
          </p>
        )}
        <fieldset class="fields">
          <Field
            label="What its rows are"
            name="collection"
            fault={faults.collection}
            help={because && `Taken to be ${collection} because ${because}.`}
          >
            {(tied) => (
              <select {...tied}>
                {!collection && <option value="">–</option>}
                {collectionNames.map((name) => (
                  <option value={name} selected={name === collection}>
                    {inWords(name)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {forms.length > 0 && (
            <Field label="The form that they answer" name="form" fault={faults.form}>
              {(tied) => (
                <select {...tied}>
                  <option value="">The one whose questions are its headings</option>
                  {forms.map(({ formId, name }) => (
                    <option value={formId} selected={formId === answered}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {format.kind === 'xlsx' && sheets.length > 1 && (
            <Field label="Sheet" name="sheet">
              {(tied) => (
                <select {...tied}>
                  {sheets.map((sheet) => (
                    <option value={sheet} selected={sheet === format.sheet}>
                      {sheet}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </fieldset>
        <Acts back="file">
          <button type="submit" name="step" value="where">
            Next: what goes where
          </button>
          {isKept && (
            <button type="submit" class="plain" name="step" value="check">
              See what would happen
            </button>
          )}
        </Acts>
      </section>
    </Frame>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

const mostTold = 30

const brief = (headings: readonly string[]) =>
  headings.slice(0, mostTold).join(', ') + (headings.length > mostTold ? ', …' : '')
