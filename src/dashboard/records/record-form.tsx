import type { Context } from 'hono'
import { setProperty, valueAt } from '../../model/json.ts'
import { fromLondon, toLondon } from '../../model/timestamp.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { SaveButtons } from '../ui/button.tsx'
import { Checkbox, CheckboxGroup, Field } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import type { Values } from './collection-info.ts'
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

/** Form values by property name: text as typed, or a list for several options. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** The form values of a record. */
export const toFormValues = (properties: readonly Property[], values: Values): FormValues =>
  Object.fromEntries(
    properties.map((property) => [
      property.name,
      toFormValue(property, valueAt(values, property.path)),
    ]),
  )

/** Reads the values of a submitted form. */
export const parseFormValues = (
  properties: readonly Property[],
  fields: Readonly<Record<string, unknown>>,
): FormValues =>
  Object.fromEntries(
    properties.map(({ name, kind }) => {
      const texts = [fields[name] ?? []].flat().map(String)
      return [name, kind === 'choices' ? texts : (texts[0] ?? '').replaceAll('\r\n', '\n')]
    }),
  )

/** Whether two forms have the same value for a property. */
export const hasSameValue = (values: FormValues, otherValues: FormValues, { name }: Property) =>
  String(values[name] ?? '') === String(otherValues[name] ?? '')

/** Parses a property's form value (null if empty), or returns an error. */
export function parseValue(
  { name, kind }: Property,
  submitted: FormValues,
): { value: unknown } | { error: string } {
  const text = submitted[name] ?? ''
  if (typeof text !== 'string') return { value: text }
  if (kind === 'texts') {
    return {
      value: text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    }
  }
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  if (kind === 'number') {
    const number = Number(trimmed.replaceAll(',', ''))
    return Number.isFinite(number) ? { value: number } : { error: 'must be a number.' }
  }
  if (kind === 'boolean') return { value: trimmed === 'true' }
  if (kind === 'time') {
    const time = fromLondon(trimmed)
    return time ? { value: time } : { error: 'must be a date and a time.' }
  }
  return { value: kind === 'text' ? text : trimmed }
}

/** Builds the JSON Merge Patch that sets these values. */
export function buildPatch(
  changes: readonly { path: readonly string[]; value: unknown }[],
): Values {
  const patch: Record<string, unknown> = {}
  for (const { path, value } of changes) setProperty(patch, path, value)
  return patch
}

function toFormValue({ kind }: Property, value: unknown): string | readonly string[] {
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  if (value === null || value === undefined) return ''
  if (kind === 'texts') return Array.isArray(value) ? value.join('\n') : String(value)
  if (kind === 'time') return toLondon(String(value))
  return String(value)
}
