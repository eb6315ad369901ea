import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Checkbox, CheckboxGroup } from '../ui/choices.tsx'
import { Field } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { SaveButtons } from '../ui/save-buttons.tsx'
import type { FormValues } from './form-values.ts'
import type { Property } from './properties.ts'

type Props = {
  c: Context<DashboardEnv>
  title: string
  action: string
  cancelPath: string
  properties: readonly Property[]
  values: FormValues
  /** The values the form was rendered with, and the ETag of that version. */
  renderedValues: FormValues
  etag?: string
  /** Errors by property, and a general error. */
  errors?: Readonly<Record<string, string>>
  error?: string | undefined
}

/** A form for a record, with the typed values and their errors. */
export function RecordForm(props: Props) {
  const {
    c,
    title,
    action,
    cancelPath,
    properties,
    values,
    renderedValues,
    etag,
    errors = {},
    error,
  } = props
  const sections = Map.groupBy(properties, ({ section }) => section)
  return (
    <Page c={c} title={title}>
      {(error || Object.keys(errors).length > 0) && (
        <p role="alert">{error ?? 'Nothing was saved. Correct the errors below.'}</p>
      )}
      <section>
        <form method="post" action={action}>
          <input type="hidden" name="$etag" value={etag} />
          <input type="hidden" name="$was" value={JSON.stringify(renderedValues)} />
          {[...sections].map(([section, sectionProperties]) => (
            <fieldset class="fields">
              {section && (
                <legend>
                  <h2>{section}</h2>
                </legend>
              )}
              {sectionProperties.map((property) => (
                <PropertyField
                  property={property}
                  value={values[property.name]}
                  error={errors[property.name]}
                />
              ))}
            </fieldset>
          ))}
          <SaveButtons cancelPath={cancelPath} />
        </form>
      </section>
    </Page>
  )
}

type PropertyFieldProps = {
  property: Property
  value: string | readonly string[] | undefined
  error: string | undefined
}

/** The form control for a property. */
function PropertyField({ property, value = '', error }: PropertyFieldProps) {
  const { name, label, kind, options = [] } = property
  if (kind === 'choices') {
    const selected = [value].flat().filter(Boolean)
    const allOptions = [...options, ...findRetiredOptions(options, selected)]
    return (
      <CheckboxGroup legend={label} name={name} error={error}>
        {allOptions.map((option) => (
          <Checkbox name={name} checkedValues={selected} {...option} />
        ))}
      </CheckboxGroup>
    )
  }
  const text = String(value)
  return (
    <Field label={label} name={name} error={error} help={helpTexts[kind]}>
      {(attributes) => {
        if (kind === 'boolean' || kind === 'choice') {
          const selectOptions =
            kind === 'boolean'
              ? yesAndNo
              : [...options, ...findRetiredOptions(options, text ? [text] : [])]
          return (
            <select {...attributes}>
              <option value="">–</option>
              {selectOptions.map((option) => (
                <option value={option.value} selected={option.value === text}>
                  {option.label}
                </option>
              ))}
            </select>
          )
        }
        if (kind === 'texts' || isLong(property, text))
          return <textarea {...attributes}>{text}</textarea>
        return <input {...attributes} {...inputAttributes[kind]} value={text} />
      }}
    </Field>
  )
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const helpTexts: Partial<Record<Property['kind'], string>> = {
  texts: 'One per line.',
  time: 'UK time.',
}

// Not type="number" or "email": browsers discard text that is invalid there, so we could not show an error.
const inputAttributes: Partial<Record<Property['kind'], Record<string, string>>> = {
  number: { inputmode: 'decimal' },
  email: { inputmode: 'email' },
  phone: { inputmode: 'tel' },
  date: { type: 'date' },
  time: { type: 'datetime-local' },
}

/** The values of a record that are no longer options. */
const findRetiredOptions = (options: NonNullable<Property['options']>, values: readonly string[]) =>
  values
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value }))

const isLong = ({ kind, name }: Property, text: string) =>
  kind === 'text' &&
  (text.length > 80 ||
    text.includes('\n') ||
    /(description|content|notes|guidelines|summary|feedback|criteria|fund|message)$/i.test(name))
