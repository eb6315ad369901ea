import type { Child } from 'hono/jsx'
import { SaveButtons } from './button.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { type FieldControlProps, Fields, type FormItem, fieldNamesOf } from './fields.tsx'
import { Form, type HiddenValues } from './form.tsx'
import type { FieldErrors, FieldValues } from './form-values.ts'

/** A heading with its fields, below each other or in a row. */
export type FormPart = {
  title: string
  hint?: string
  fields: readonly FormItem[]
  isRow?: boolean
}

/** The fields of a short form, or those of a long one below headings, or both. */
type FormItems = { fields?: readonly FormItem[]; parts?: readonly FormPart[] }

type FieldsFormProps = FormItems & {
  action: string
  hidden?: HiddenValues
  /** Fields in a fold, which is open if one of them has an error. */
  fold?: FormItems & { summary: Child; isOpen: boolean }
  values: FieldValues
  errors?: FieldErrors
  /** An error that concerns no field. */
  error?: string | undefined
  /** The consequence of errors of fields. */
  failure?: string
  saveLabel?: string
  isDangerous?: boolean
  isSecondary?: boolean
  cancelPath?: string
  cancelLabel?: string
  /** Buttons beside *Save*. */
  buttons?: Child
  attributes?: Readonly<Record<string, string | boolean | undefined>>
  /** Shown above the fields. */
  children?: Child
}

/**
 * Renders a form from the declaration of its fields: a summary of the errors, the fields with their
 * values and errors, and the buttons.
 */
export function FieldsForm({
  action,
  hidden = {},
  fields = [],
  parts = [],
  fold,
  values,
  errors = {},
  error,
  failure = 'Nothing was saved.',
  attributes = {},
  buttons,
  children,
  saveLabel = 'Save',
  isDangerous = false,
  isSecondary = false,
  cancelPath,
  cancelLabel = 'Cancel',
}: FieldsFormProps) {
  const shown = { values, errors }
  const folded = fold ? listItems(fold) : []
  return (
    <>
      <ErrorSummary
        items={[...listItems({ fields, parts }), ...folded]}
        errors={errors}
        error={error}
        failure={failure}
      />
      <Form action={action} hidden={hidden} class="form" attributes={attributes}>
        {children}
        <Fields fields={fields} {...shown} />
        <Parts parts={parts} {...shown} />
        {fold && folded.length > 0 && (
          <details class="fold part-fold" open={fold.isOpen || hasErrorIn(folded, errors)}>
            <summary>{fold.summary}</summary>
            <Fields fields={fold.fields ?? []} {...shown} />
            <Parts parts={fold.parts ?? []} {...shown} />
          </details>
        )}
        <SaveButtons
          label={saveLabel}
          isDangerous={isDangerous}
          isSecondary={isSecondary}
          cancelPath={cancelPath}
          cancelLabel={cancelLabel}
        >
          {buttons}
        </SaveButtons>
      </Form>
    </>
  )
}

const listItems = ({ fields = [], parts = [] }: FormItems): readonly FormItem[] => [
  ...fields,
  ...parts.flatMap((part) => part.fields),
]

const hasErrorIn = (items: readonly FormItem[], errors: FieldErrors) =>
  items.some((item) => fieldNamesOf(item).names.some((name) => errors[name]))

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

type RowFormProps = {
  action: string
  fields: readonly FormItem[]
  values: FieldValues
  errors?: FieldErrors
  /** The consequence of errors. */
  failure: string
  saveLabel: string
  /** Further buttons, after the button that sends the form. */
  buttons?: Child
  /** Shown above the fields. */
  children?: Child
}

/** Renders a short form as a row of its fields and buttons. */
export const RowForm = (props: RowFormProps) => {
  const { action, fields, values, errors = {}, failure, saveLabel, buttons, children } = props
  return (
    <>
      <ErrorSummary items={fields} errors={errors} failure={failure} />
      <Form action={action}>
        {children}
        <div class="create">
          <Fields fields={fields} values={values} errors={errors} />
          <button type="submit" class="button primary">
            {saveLabel}
          </button>
          {buttons}
        </div>
      </Form>
    </>
  )
}
