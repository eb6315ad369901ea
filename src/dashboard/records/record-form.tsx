import type { Context } from 'hono'
import { setProperty, valueAt } from '../../model/json.ts'
import type { Property } from '../../model/properties/compile.ts'
import { type ValueType, valueTypes } from '../../model/properties/value-types.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { SaveButtons } from '../ui/button.tsx'
import { CheckboxGroup, Field, noOption, Select } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import type { Values } from './collection-info.ts'

type Props = {
  c: Context<DashboardEnv>
  title: string
  action: string
  cancelPath: string
  properties: readonly Property[]
  values: FormValues
  /** The values that the form was rendered with, and the record's ETag at that time. */
  renderedValues: FormValues
  etag?: string
  /** Errors by property, and a general error. */
  errors?: Readonly<Record<string, string>>
  error?: string | undefined
}

/** Renders a form for a record, with the submitted values and their errors. */
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
          <input type="hidden" name="$rendered" value={JSON.stringify(renderedValues)} />
          {[...sections].map(([section, sectionProperties]) => (
            <fieldset class="field-grid">
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

/** Renders the form control for a property. */
export function PropertyField({ property, value = '', error }: PropertyFieldProps) {
  const { name, label, type, options = [] } = property
  const { element, attributes, options: ownOptions, help } = valueTypes[type].control ?? {}
  if (element === 'checkboxes') {
    const selected = [value].flat().filter(Boolean)
    const allOptions = [...options, ...findRetiredOptions(options, selected)]
    return (
      <CheckboxGroup
        legend={label}
        name={name}
        options={allOptions}
        checkedValues={selected}
        error={error}
      />
    )
  }
  const text = String(value)
  return (
    <Field label={label} name={name} error={error} help={help}>
      {(fieldAttributes) => {
        if (element === 'select') {
          const selectOptions = ownOptions ?? [
            ...options,
            ...findRetiredOptions(options, text ? [text] : []),
          ]
          return (
            <Select
              options={[noOption, ...selectOptions]}
              selected={text}
              attributes={fieldAttributes}
            />
          )
        }
        if (element === 'textarea' || isLong(property, text))
          return <textarea {...fieldAttributes}>{text}</textarea>
        return <input {...fieldAttributes} {...attributes} value={text} />
      }}
    </Field>
  )
}

/** Returns a record's values that are no longer options. */
const findRetiredOptions = (options: NonNullable<Property['options']>, values: readonly string[]) =>
  values
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value }))

const isLong = ({ type, name }: Property, text: string) =>
  type === 'text' &&
  (text.length > 80 ||
    text.includes('\n') ||
    /(description|content|notes|guidelines|summary|feedback|criteria|fund|message)$/i.test(name))

/** Form values by property: text, or a list for checkboxes. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** Returns the form values of a record. */
export const toFormValues = (properties: readonly Property[], values: Values): FormValues =>
  Object.fromEntries(
    properties.map((property) => [
      property.name,
      toFormValue(property, valueAt(values, property.path)),
    ]),
  )

/** Parses the values of a submitted form. */
export const parseFormValues = (
  properties: readonly Property[],
  fields: Readonly<Record<string, unknown>>,
): FormValues =>
  Object.fromEntries(
    properties.map(({ name, type }) => {
      const texts = [fields[name] ?? []].flat().map(String)
      return [name, hasCheckboxes(type) ? texts : (texts[0] ?? '').replaceAll('\r\n', '\n')]
    }),
  )

/** Returns whether two forms have the same value for a property. */
export const hasSameValue = (values: FormValues, otherValues: FormValues, { name }: Property) =>
  String(values[name] ?? '') === String(otherValues[name] ?? '')

/** Parses a property's form value, with null for an empty one, or returns an error. */
export function parseValue(
  { name, type }: Property,
  submitted: FormValues,
): { value: unknown } | { error: string } {
  const text = submitted[name] ?? ''
  return typeof text === 'string' ? valueTypes[type].parse(text) : { value: text }
}

/** Builds the JSON Merge Patch that sets these values. */
export function buildPatch(
  changes: readonly { path: readonly string[]; value: unknown }[],
): Values {
  const patch: Record<string, unknown> = {}
  for (const { path, value } of changes) setProperty(patch, path, value)
  return patch
}

function toFormValue({ type }: Property, value: unknown): string | readonly string[] {
  if (hasCheckboxes(type)) return Array.isArray(value) ? value.map(String) : []
  return value === null || value === undefined ? '' : valueTypes[type].format(value)
}

const hasCheckboxes = (type: ValueType) => valueTypes[type].control?.element === 'checkboxes'
