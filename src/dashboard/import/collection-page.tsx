import type { Context } from 'hono'
import type { Inspection } from '../../import/infer/inspect.ts'
import type { Mapping } from '../../import/infer/mapping.ts'
import { formatCount } from '../../import/infer/parsing.ts'
import { describeFormat, type Table } from '../../import/read/table.ts'
import { collectionNames } from '../../model/collection.ts'
import type { SurveyForm } from '../../model/forms/survey-form.ts'
import { toLabel } from '../../model/properties/compile.ts'
import { formatNumber } from '../../platform/format-number.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { noOption, SelectField } from '../ui/form.tsx'
import type { ImportForm } from './import-form.ts'
import { StepButtons, StepPage } from './step-page.tsx'

type Props = {
  c: Context<DashboardEnv>
  form: ImportForm
  table: Table
  /** The inspected file, if its collection is known. */
  inspected?: Inspection | undefined
  mapping?: Mapping | undefined
  /** Whether the page uses the saved mapping of an earlier file with the same headings. */
  usesSavedMapping: boolean
  collection: string | undefined
  /** The forms to choose from. */
  forms: readonly SurveyForm[]
  errors: { collection?: string; form?: string }
}

/** Renders a description of the file and asks for its collection. */
export function CollectionPage(props: Props) {
  const { c, form, table, inspected, mapping, usesSavedMapping, collection, forms, errors } = props
  const { format, headings, headingLine } = table
  const { proposal, because } = inspected ?? {}
  const selectedForm = form.get('form') || (mapping ?? proposal?.mapping)?.same.surveyId
  const sheets = format.kind === 'xlsx' ? format.sheets : []
  return (
    <StepPage
      c={c}
      step="collection"
      title="Choose a collection"
      form={form}
      mapping={mapping && JSON.stringify(mapping)}
      rows={proposal?.rows}
    >
      <section>
        <dl class="summary-list">
          <Fact name="File" value={form.pasted ? 'Pasted rows' : (form.source?.name ?? '')} />
          <Fact name="Format" value={describeFormat(format)} />
          {proposal && <Fact name="Rows" value={formatNumber(proposal.rows)} />}
          <Fact
            name="Columns"
            value={`${formatCount(headings.length, 'column')}${headingLine > 0 ? `; the headings are in line ${headingLine}` : ''}: ${summariseHeadings(headings)}`}
          />
          {proposal?.system && <Fact name="Exported by" value={proposal.system} />}
        </dl>
      </section>
      <section>
        {usesSavedMapping && (
          <p>
            A file with the same headings was imported before. This one will be read the same way.
          </p>
        )}
        <fieldset class="field-grid">
          <SelectField
            label="Collection"
            name="collection"
            options={[
              ...(collection ? [] : [noOption]),
              ...collectionNames.map((value) => ({ value, label: toLabel(value) })),
            ]}
            selected={collection ?? ''}
            error={errors.collection}
            help={because && `Suggested because ${because}.`}
          />
          {forms.length > 0 && (
            <SelectField
              label="Form"
              name="form"
              options={[
                { value: '', label: 'Match by questions' },
                ...forms.map(({ formId, name }) => ({ value: formId, label: name })),
              ]}
              selected={String(selectedForm ?? '')}
              error={errors.form}
            />
          )}
          {format.kind === 'xlsx' && sheets.length > 1 && (
            <SelectField
              label="Sheet"
              name="sheet"
              options={sheets.map((sheet) => ({ value: sheet, label: sheet }))}
              selected={format.sheet}
            />
          )}
        </fieldset>
        <StepButtons previousStep="file">
          <button type="submit" name="step" value="mapping">
            Map columns
          </button>
          {usesSavedMapping && (
            <button type="submit" class="secondary" name="step" value="check">
              Check import
            </button>
          )}
        </StepButtons>
      </section>
    </StepPage>
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

const maxHeadings = 30

const summariseHeadings = (headings: readonly string[]) =>
  headings.slice(0, maxHeadings).join(', ') + (headings.length > maxHeadings ? ', …' : '')
