import type { Child } from 'hono/jsx'
import { SaveButtons } from './button.tsx'
import { type FieldControlProps, Fields, type FormItem, namesOf } from './fields.tsx'
import { Form, type HiddenValues } from './form.tsx'
import { type FieldErrors, type FieldValues, hasErrors } from './form-values.ts'

/** A heading with its fields, below each other or in a row. */
export type FormPart = {
  title: string
  hint?: string
  fields: readonly FormItem[]
  isRow?: boolean
}

type FieldsFormProps = {
  action: string
  hidden?: HiddenValues
  /** The fields of a short form. */
  fields?: readonly FormItem[]
  /** The fields of a long form, below headings. */
  parts?: readonly FormPart[]
  /** Fields in a fold, which is open if one of them has an error. */
  fold?: Fold
  values: FieldValues
  errors?: FieldErrors
  /** What was not done because of the errors, or an error that concerns no field. */
  error?: string | undefined
  saveLabel?: string
  isDangerous?: boolean
  cancelPath?: string
  /** Buttons beside the one that saves. */
  buttons?: Child
  /** Whether the fields and the buttons stand in a row. */
  isRow?: boolean
  attributes?: Readonly<Record<string, string | boolean | undefined>>
  /** Shown above the fields. */
  children?: Child
}

type Fold = {
  summary: Child
  fields?: readonly FormItem[]
  parts?: readonly FormPart[]
  isOpen: boolean
}

/**
 * Renders a form from the declaration of its fields: a summary of the errors, the fields with their
 * values and errors, and the buttons.
 */
export function FieldsForm(props: FieldsFormProps) {
  const { fields = [], parts = [], fold, values, errors = {}, error, children } = props
  const { action, hidden = {}, isRow = false, attributes = {} } = props
  const { saveLabel = 'Save', isDangerous = false, cancelPath, buttons } = props
  const shown = { values, errors }
  const folded = [...(fold?.fields ?? []), ...listItems(fold?.parts ?? [])]
  const items = [...fields, ...listItems(parts), ...folded]
  const hasFoldedError = folded.some((item) => namesOf(item).names.some((name) => errors[name]))
  return (
    <>
      <ErrorSummary items={items} errors={errors} error={error} />
      <Form
        action={action}
        hidden={hidden}
        class={isRow ? undefined : 'form'}
        attributes={attributes}
      >
        {children}
        {isRow ? (
          <div class="create">
            <Fields fields={fields} {...shown} />
            <button type="submit" class="button primary">
              {saveLabel}
            </button>
            {buttons}
          </div>
        ) : (
          <Fields fields={fields} {...shown} />
        )}
        <Parts parts={parts} {...shown} />
        {fold && folded.length > 0 && (
          <details class="fold part-fold" open={fold.isOpen || hasFoldedError}>
            <summary>{fold.summary}</summary>
            <Fields fields={fold.fields ?? []} {...shown} />
            <Parts parts={fold.parts ?? []} {...shown} />
          </details>
        )}
        {!isRow && (
          <SaveButtons label={saveLabel} isDangerous={isDangerous} cancelPath={cancelPath}>
            {buttons}
          </SaveButtons>
        )}
      </Form>
    </>
  )
}

/** The fields of parts in order. */
export const listItems = (parts: readonly FormPart[]): readonly FormItem[] =>
  parts.flatMap(({ fields }) => fields)

type PartsProps = { parts: readonly FormPart[] } & FieldControlProps

const Parts = ({ parts, ...shown }: PartsProps) => (
  <>
    {parts.map(({ title, hint, fields, isRow }) => (
      <section class="part">
        <div>
          <h2>{title}</h2>
          {hint && <p class="quiet">{hint}</p>}
        </div>
        <div>
          {isRow ? (
            <div class="trio">
              <Fields fields={fields} {...shown} />
            </div>
          ) : (
            <Fields fields={fields} {...shown} />
          )}
        </div>
      </section>
    ))}
  </>
)

type ErrorSummaryProps = {
  items: readonly FormItem[]
  errors: FieldErrors
  error: string | undefined
}

/** Renders the errors of a form, each with a link to its field (GOV.UK error summary). */
function ErrorSummary({ items, errors, error }: ErrorSummaryProps) {
  if (!error && !hasErrors(errors)) return null
  const faulty = items.flatMap((item) =>
    namesOf(item).names.flatMap((name) => {
      const message = errors[name]
      return message ? [{ name, message: completeMessage(item, message) }] : []
    }),
  )
  return (
    <div class="error-summary" role="alert" aria-labelledby="problem" tabindex={-1}>
      <h2 id="problem">There is a problem</h2>
      {error && <p>{error}</p>}
      <ul>
        {faulty.map(({ name, message }) => (
          <li>
            <a href={`#field-${name}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Completes a message without a subject by the label of its field. */
export const completeMessage = (
  { label, summaryLabel = label }: { label: string; summaryLabel?: string },
  message: string,
): string => (/^[a-z]/.test(message) ? `${summaryLabel} ${message}` : message)
