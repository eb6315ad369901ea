import { valueAt } from '../../../model/json.ts'
import type { Property } from '../../../model/properties/compile.ts'
import { type Option, valueTypes } from '../../../model/value-types.ts'
import { type FormField, FormFieldControl } from '../../ui/fields.tsx'
import { type FieldValues, textOf, textsOf } from '../../ui/form-values.ts'
import type { Answer, QuestionControlProps, RecordQuestion, Wording } from './question.ts'

/** The question for one property. */
export function propertyQuestion(property: Property, wording: Wording = {}): RecordQuestion {
  const { name, path, type } = property
  const label = wording.label ?? property.label
  // The form text of a value is that of one input. Lists have none: they are checkboxes with the same name.
  const { formText } = valueTypes[type]
  return {
    label,
    names: [name],
    lists: formText ? [] : [name],
    properties: [name],
    read(values) {
      const value = valueAt(values, path)
      if (!formText) return { [name]: Array.isArray(value) ? value.map(String) : [] }
      const shown = value ?? (isNoWhenAbsent(property) ? property.emptyValue : '')
      return { [name]: shown === '' ? '' : formText.format(shown) }
    },
    parse: ({ submitted }) => parseProperty(property, submitted, wording),
    Control: (props) => <PropertyControl property={property} wording={wording} {...props} />,
  }
}

/** Parses a property's form value, with null for an empty one, or returns an error. */
export function parseProperty(
  { name, path, type }: Property,
  submitted: FieldValues,
  wording: Wording = {},
): Answer {
  const { formText } = valueTypes[type]
  const result = formText
    ? formText.parse(withoutCurrency(textOf(submitted, name), wording))
    : { value: textsOf(submitted, name) }
  if ('error' in result) return { errors: { [name]: result.error } }
  return { changes: [{ path, value: result.value }] }
}

/** Accepts an amount with its currency sign, such as £1,250. */
const withoutCurrency = (text: string, { isMoney }: Wording) =>
  isMoney ? text.replace(/^\s*£/, '') : text

type PropertyControlProps = Pick<QuestionControlProps, 'values' | 'errors'> & {
  property: Property
  wording?: Wording
}

/** Renders the form control for a property. */
export const PropertyControl = ({ property, wording = {}, ...shown }: PropertyControlProps) => (
  <FormFieldControl field={describeField(property, wording, shown.values)} {...shown} />
)

/** The form field of a property. Its options depend on its value, which may be from another system. */
function describeField(property: Property, wording: Wording, values: FieldValues): FormField {
  const { name, type } = property
  const { label = property.label, hint, isNarrow, isMoney = false } = wording
  const { element, attributes, help } = valueTypes[type].control ?? {}
  const text = textOf(values, name)
  const field = { name, label, help: hint ?? help }
  if (element === 'checkboxes')
    return {
      ...field,
      options: listOptions(property, wording, textsOf(values, name)),
      hasSeveral: true,
    }
  if (element === 'select' || wording.options !== undefined) {
    const options = listOptions(property, wording, text === '' ? [] : [text])
    const hasNone = !isNoWhenAbsent(property) && !(property.isRequired && text !== '')
    const none = { value: '', label: wording.noneLabel ?? '–' }
    return { ...field, options: hasNone ? [none, ...options] : options }
  }
  if (element === 'textarea' || wording.isLong || isLong(property, text))
    return { ...field, isLong: true }
  return {
    ...field,
    isMoney,
    attributes: { ...attributes, class: isNarrow ? 'narrow' : undefined },
  }
}

/** Whether an absent value means no, so that the property is never unknown. */
const isNoWhenAbsent = ({ emptyValue }: Property) => emptyValue === false

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
