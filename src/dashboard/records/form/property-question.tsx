import { valueAt } from '../../../model/json.ts'
import type { Property } from '../../../model/properties/compile.ts'
import { type Option, type ValueType, valueTypes } from '../../../model/properties/value-types.ts'
import { CheckboxGroup, Field, Select } from '../../ui/form.tsx'
import {
  type Answer,
  type ControlProps,
  type FormValues,
  listOf,
  type Question,
  textOf,
  type Wording,
} from './question.ts'

/** Returns the question for one property. */
export function propertyQuestion(property: Property, wording: Wording = {}): Question {
  const { name, path, type } = property
  const label = wording.label ?? property.label
  const { format } = valueTypes[type]
  const hasSeveral = hasCheckboxes(type)
  return {
    label,
    names: [name],
    lists: hasSeveral ? [name] : [],
    properties: [name],
    read(values) {
      const value = valueAt(values, path)
      if (hasSeveral) return { [name]: Array.isArray(value) ? value.map(String) : [] }
      const shown = value ?? (hasNoNull(property) ? property.emptyValue : '')
      return { [name]: shown === '' ? '' : format(shown) }
    },
    parse: ({ submitted }) => parseProperty(property, submitted, wording),
    Control: (props) => <PropertyControl property={property} wording={wording} {...props} />,
  }
}

/** Parses a property's form value, with null for an empty one, or returns an error. */
export function parseProperty(
  { name, path, type }: Property,
  submitted: FormValues,
  wording: Wording = {},
): Answer {
  const result = hasCheckboxes(type)
    ? { value: listOf(submitted, name) }
    : valueTypes[type].parse(withoutCurrency(textOf(submitted, name), wording))
  if ('error' in result) return { errors: { [name]: result.error } }
  return { changes: [{ path, value: result.value }] }
}

/** Accepts an amount with its currency sign, such as £1,250. */
const withoutCurrency = (text: string, { isMoney }: Wording) =>
  isMoney ? text.replace(/^\s*£/, '') : text

type PropertyControlProps = Pick<ControlProps, 'values' | 'errors'> & {
  property: Property
  wording?: Wording
}

/** Renders the form control for a property. */
export function PropertyControl({ property, wording = {}, values, errors }: PropertyControlProps) {
  const { name, type } = property
  const { label = property.label, hint, noneLabel = '–', isNarrow, isMoney } = wording
  const { element, attributes, options: ownOptions, help } = valueTypes[type].control ?? {}
  const options = wording.options ?? ownOptions ?? property.options ?? []
  const error = errors[name]
  if (element === 'checkboxes') {
    const checkedValues = listOf(values, name)
    return (
      <CheckboxGroup
        legend={label}
        name={name}
        options={[...options, ...findOtherOptions(options, checkedValues)]}
        checkedValues={checkedValues}
        error={error}
      />
    )
  }
  const text = textOf(values, name)
  return (
    <Field label={label} name={name} error={error} help={hint ?? help}>
      {(field) => {
        if (element === 'select' || wording.options) {
          const others = findOtherOptions(options, text === '' ? [] : [text])
          const none =
            hasNoNull(property) || (property.isRequired && text !== '')
              ? []
              : [{ value: '', label: noneLabel }]
          return (
            <Select options={[...none, ...options, ...others]} selected={text} attributes={field} />
          )
        }
        if (element === 'textarea' || wording.isLong || isLong(property, text))
          return <textarea {...field}>{text}</textarea>
        const input = (
          <input {...field} {...attributes} class={isNarrow ? 'narrow' : undefined} value={text} />
        )
        if (!isMoney) return input
        return (
          <div class="money narrow">
            <span aria-hidden="true">£</span>
            {input}
          </div>
        )
      }}
    </Field>
  )
}

/** Returns whether an absent value means no. */
const hasNoNull = ({ emptyValue }: Property) => emptyValue === false

/** Returns a record's values that are not among the options. */
const findOtherOptions = (options: readonly Option[], values: readonly string[]) =>
  values
    .filter((value) => !options.some((option) => option.value === value))
    .map((value) => ({ value, label: value }))

const isLong = ({ type, name }: Property, text: string) =>
  type === 'text' &&
  (text.length > 80 ||
    text.includes('\n') ||
    /(description|content|notes|guidelines|summary|feedback|criteria|fund|message)$/i.test(name))

const hasCheckboxes = (type: ValueType) => valueTypes[type].control?.element === 'checkboxes'
