import { valueAt } from '../../../model/json.ts'
import type { Property } from '../../../model/properties/compile.ts'
import { type Option, type ValueType, valueTypes } from '../../../model/properties/value-types.ts'
import { type FormField, FormFieldControl } from '../../ui/fields.tsx'
import {
  type Answer,
  type ControlProps,
  type FormValues,
  listOf,
  type Question,
  textOf,
  type Wording,
} from './question.ts'

/** The question for one property. */
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
  const { label = property.label, hint, isNarrow, isMoney = false } = wording
  const { element, attributes, help } = valueTypes[type].control ?? {}
  const text = textOf(values, name)
  const isSelect = element === 'select' || wording.options !== undefined
  const isTextArea = element === 'textarea' || wording.isLong || isLong(property, text)
  const field: FormField = {
    name,
    label,
    help: hint ?? help,
    isLong: isTextArea,
    isMoney,
    attributes: isTextArea ? {} : { ...attributes, class: isNarrow ? 'narrow' : undefined },
  }
  const error = errors[name]
  if (element === 'checkboxes') {
    const checkedValues = listOf(values, name)
    const options = listOptions(property, wording, checkedValues)
    return (
      <FormFieldControl
        field={{ ...field, options, hasSeveral: true }}
        value={checkedValues}
        error={error}
      />
    )
  }
  if (!isSelect) return <FormFieldControl field={field} value={text} error={error} />
  const options = listOptions(property, wording, text === '' ? [] : [text])
  const hasNone = !hasNoNull(property) && !(property.isRequired && text !== '')
  const none = { value: '', label: wording.noneLabel ?? '–' }
  return (
    <FormFieldControl
      field={{ ...field, options: hasNone ? [none, ...options] : options }}
      value={text}
      error={error}
    />
  )
}

/** Whether an absent value means no. */
const hasNoNull = ({ emptyValue }: Property) => emptyValue === false

/** The options of a property, and a record's values that are not among them. */
function listOptions(
  property: Property,
  wording: Wording,
  values: readonly string[],
): readonly Option[] {
  const options =
    wording.options ?? valueTypes[property.type].control?.options ?? property.options ?? []
  const others = values.filter((value) => !options.some((option) => option.value === value))
  return [...options, ...others.map((value) => ({ value, label: value }))]
}

const isLong = ({ type, name }: Property, text: string) =>
  type === 'text' &&
  (text.length > 80 ||
    text.includes('\n') ||
    /(description|content|notes|guidelines|summary|feedback|criteria|fund|message)$/i.test(name))

const hasCheckboxes = (type: ValueType) => valueTypes[type].control?.element === 'checkboxes'
