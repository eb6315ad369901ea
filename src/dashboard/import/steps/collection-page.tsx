import type { Mapping } from '../../../import/mapping/mapping.ts'
import { asWorkbook, describeFormat } from '../../../import/rows/table.ts'
import { collectionLabel, collectionNames } from '../../../model/collection.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { noOption, SelectField } from '../../ui/controls.tsx'
import type { OpenedFile } from './open-file.ts'
import { FileAgain, importPath, StepPage } from './step-page.tsx'

type Errors = { collection?: string; form?: string }

/** Renders the question for the collection of a file, or for the form that its rows answer. */
export function CollectionPage({ opened, errors }: { opened: OpenedFile; errors: Errors }) {
  const { c, form, table, source } = opened
  const { headings, format } = table
  return (
    <StepPage
      c={c}
      step="review"
      title={form.pasted ? 'Pasted rows' : source.name}
      lead={`${formatCount(headings.length, 'column')}, ${describeFormat(format)}: ${summariseHeadings(headings)}`}
      actions={
        <a class="button" href={importPath(c)}>
          Choose another file
        </a>
      }
      form={form}
    >
      <section class="section">
        <h2>What are these rows?</h2>
        <FileFields opened={opened} errors={errors} />
      </section>
      <FileAgain form={form} />
      <div class="save">
        <button type="submit" class="button primary" name="step" value="review">
          Continue
        </button>
      </div>
    </StepPage>
  )
}

type FieldsProps = { opened: OpenedFile; mapping?: Mapping; errors?: Errors }

/** Renders the choice of the collection, the form and the sheet of a file. */
export function FileFields({ opened, mapping, errors = {} }: FieldsProps) {
  const { form, table, collection, because, forms } = opened
  const workbook = asWorkbook(table.format)
  const selectedForm = form.get('form') || (mapping ?? opened.mapping)?.same.surveyId
  return (
    <fieldset class="field-grid">
      <legend class="visually-hidden">What the file holds</legend>
      <SelectField
        label="Kind of records"
        name="collection"
        options={[
          ...(collection ? [] : [noOption]),
          ...collectionNames.map((value) => ({ value, label: collectionLabel(value) })),
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
      {workbook && workbook.sheets.length > 1 && (
        <SelectField
          label="Sheet"
          name="sheet"
          options={workbook.sheets.map((sheet) => ({ value: sheet, label: sheet }))}
          selected={workbook.sheet}
        />
      )}
    </fieldset>
  )
}

const maxHeadings = 30

const summariseHeadings = (headings: readonly string[]) =>
  headings.slice(0, maxHeadings).join(', ') + (headings.length > maxHeadings ? ', …' : '')
