import type { Child } from 'hono/jsx'
import type { Option } from '../../model/value-types.ts'
import { texts } from '../../texts/texts.ts'
import { datePartNames, type FormValues } from './form-values.ts'

/** The errors of a form by the name of the control, in the order of the page. */
export type FormErrors = Readonly<Record<string, string>>

/** A control of a form: its name, label and hint, and whether it needs a value. */
export type PublicControlProps = {
  name: string
  label: string
  hint?: string | undefined
  isRequired?: boolean | undefined
  values: FormValues
  errors: FormErrors
}

/** The id of a control, without the spaces that a name may have. */
export const controlId = (name: string) =>
  `field-${name.replaceAll(/[^\w-]/g, (character) => `_${character.charCodeAt(0).toString(16)}_`)}`

type Attributes = Readonly<Record<string, string>>

/** Renders a text input. */
export function TextInput({
  attributes,
  ...control
}: PublicControlProps & { attributes?: Attributes }) {
  return (
    <LabelledControl {...control}>
      {(linked) => <input {...linked} {...attributes} value={control.values.raw(control.name)} />}
    </LabelledControl>
  )
}

/** Renders an input for text of several lines. */
export function TextArea({
  attributes,
  ...control
}: PublicControlProps & { attributes?: Attributes }) {
  return (
    <LabelledControl {...control}>
      {(linked) => (
        <textarea {...linked} {...attributes}>
          {control.values.text(control.name)}
        </textarea>
      )}
    </LabelledControl>
  )
}

type OptionProps = PublicControlProps & { options: readonly Option[] }

/** Renders a list to choose one option from. */
export function SelectInput({ options, ...control }: OptionProps) {
  const selected = control.values.text(control.name)
  return (
    <LabelledControl {...control}>
      {(linked) => (
        <select {...linked}>
          {[{ value: '', label: texts.controls.chooseOne }, ...options].map(({ value, label }) => (
            <option value={value} selected={value === selected}>
              {label}
            </option>
          ))}
        </select>
      )}
    </LabelledControl>
  )
}

type ChoiceProps = OptionProps & { type: 'radio' | 'checkbox' }

/** Renders radio buttons or checkboxes, each with its label. */
export function Choices({ type, options, ...control }: ChoiceProps) {
  const { name, values, errors } = control
  const checkedValues = values.list(name)
  return (
    <ControlGroup {...control}>
      {options.map(({ value, label }, index) => (
        <label class="choice">
          <input
            type={type}
            id={index === 0 ? controlId(name) : undefined}
            name={name}
            value={value}
            checked={checkedValues.includes(value)}
            aria-invalid={errors[name] && type === 'checkbox' ? 'true' : undefined}
          />
          <span>{label}</span>
        </label>
      ))}
    </ControlGroup>
  )
}

/** Renders a single checkbox with its own label. */
export function SingleCheckbox({ name, label, values, errors }: PublicControlProps) {
  const errorId = `${controlId(name)}-error`
  return (
    <div class="field">
      <FieldError id={errorId} message={errors[name]} />
      <label class="choice">
        <input
          type="checkbox"
          id={controlId(name)}
          name={name}
          value="yes"
          checked={values.text(name) === 'yes'}
          aria-describedby={errors[name] && errorId}
          aria-invalid={errors[name] && 'true'}
        />
        <span>{label}</span>
      </label>
    </div>
  )
}

/** Renders the inputs for the day, month and year of a date. */
export function DateInput({
  autocomplete,
  ...control
}: PublicControlProps & { autocomplete?: 'bday' | undefined }) {
  const { name, hint = texts.controls.dateExample, values, errors } = control
  return (
    <ControlGroup {...control} hint={hint}>
      <div class="date">
        {datePartNames.map((part, index) => (
          <label>
            {texts.controls[part]}
            <input
              id={index === 0 ? controlId(name) : undefined}
              name={`${name}.${part}`}
              value={values.text(`${name}.${part}`)}
              inputmode="numeric"
              maxlength={part === 'year' ? 4 : 2}
              autocomplete={autocomplete && `${autocomplete}-${part}`}
              aria-invalid={errors[name] && 'true'}
            />
          </label>
        ))}
      </div>
    </ControlGroup>
  )
}

type PublicFormProps = {
  action: string
  /** The names and values of hidden inputs. */
  hidden?: HiddenEntries
  children: Child
}

/** Renders a form without the browser's validation: the service has better messages. */
export const PublicForm = ({ action, hidden = [], children }: PublicFormProps) => (
  <form method="post" action={action} novalidate>
    <HiddenInputs entries={hidden} />
    {children}
  </form>
)

type ActionButtonProps = Omit<PublicFormProps, 'children'> & { label: string; isPrimary?: boolean }

/** Renders a form that is only a button. */
export const PublicActionButton = ({ label, isPrimary = false, ...form }: ActionButtonProps) => (
  <PublicForm {...form}>
    <button class={isPrimary ? 'button primary' : 'button'} type="submit">
      {label}
    </button>
  </PublicForm>
)

type HiddenEntries = readonly (readonly [name: string, value: string])[]

/** Renders hidden inputs with the values of controls that another page of the form has. */
export function HiddenInputs({ entries }: { entries: HiddenEntries }) {
  return (
    <>
      {entries.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

/** Renders the errors of a form, each with a link to its control (GOV.UK error summary). */
export function PublicErrorSummary({ errors }: { errors: FormErrors }) {
  const entries = Object.entries(errors)
  if (entries.length === 0) return null
  return (
    <div class="error-summary" role="alert" aria-labelledby="error-summary-title">
      <h2 id="error-summary-title">{texts.controls.errorsTitle}</h2>
      <ul>
        {entries.map(([name, message]) => (
          <li>
            <a href={`#${controlId(name)}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Renders the reason why a complete form was not accepted. */
export function RefusalNotice({ title, message }: { title: string; message: string | undefined }) {
  if (message === undefined) return null
  return (
    <div class="error-summary" role="alert" aria-labelledby="refusal-title">
      <h2 id="refusal-title">{title}</h2>
      <p>{message}</p>
    </div>
  )
}

type LinkedAttributes = Record<'id' | 'name', string> & {
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

function LabelledControl(
  props: PublicControlProps & { children: (linked: LinkedAttributes) => Child },
) {
  const { name, hint, errors, children } = props
  const id = controlId(name)
  return (
    <div class="field">
      <label for={id}>{labelText(props)}</label>
      <Hint id={`${id}-hint`} text={hint} />
      <FieldError id={`${id}-error`} message={errors[name]} />
      {children({
        id,
        name,
        'aria-describedby': describedBy(props),
        'aria-invalid': errors[name] ? 'true' : undefined,
      })}
    </div>
  )
}

/** Renders several controls with a common legend. */
export function ControlGroup(props: PublicControlProps & { children: Child }) {
  const { name, hint, errors, children } = props
  const id = controlId(name)
  return (
    <fieldset class="field" aria-describedby={describedBy(props)}>
      <legend>{labelText(props)}</legend>
      <Hint id={`${id}-hint`} text={hint} />
      <FieldError id={`${id}-error`} message={errors[name]} />
      {children}
    </fieldset>
  )
}

const labelText = ({ label, isRequired }: PublicControlProps) =>
  isRequired ? label : texts.controls.optional(label)

function describedBy({ name, hint, errors }: PublicControlProps): string | undefined {
  const id = controlId(name)
  return (
    [hint && `${id}-hint`, errors[name] && `${id}-error`].filter(Boolean).join(' ') || undefined
  )
}

function Hint({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null
  return (
    <span class="hint" id={id}>
      {text}
    </span>
  )
}

function FieldError({ id, message }: { id: string; message: string | undefined }) {
  if (!message) return null
  return (
    <span class="error" id={id}>
      <span class="visually-hidden">{texts.controls.error}</span>
      {message}
    </span>
  )
}
