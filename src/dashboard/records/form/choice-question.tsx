import { valueAt } from '../../../model/json.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import { FormFieldControl } from '../../ui/fields.tsx'
import { textOf } from '../../ui/form-values.ts'
import type { PropertyChange, RecordQuestion } from './question.ts'

/** An answer that sets several properties. */
type ChoiceOption = {
  value: string
  label: string
  hint?: string
  /** The values of properties by dotted path. */
  sets: Readonly<Record<string, unknown>>
}

type ChoiceQuestion = {
  name: string
  label: string
  options: readonly ChoiceOption[]
  /** The value of the option that describes a record. */
  read(values: ShownValues): string
}

/** A question with radio buttons, each of which sets several properties. */
export function choiceQuestion({ name, label, options, read }: ChoiceQuestion): RecordQuestion {
  const properties = [...new Set(options.flatMap(({ sets }) => Object.keys(sets)))]
  return {
    label,
    names: [name],
    properties,
    read: (values) => ({ [name]: read(values) }),
    parse({ submitted }) {
      const option = options.find(({ value }) => value === textOf(submitted, name))
      return option ? { changes: toChanges(option.sets) } : { errors: { [name]: 'is missing.' } }
    },
    Control: (shown) => (
      <FormFieldControl
        field={{ name, label, options, hasRadios: true, isLabelHidden: true }}
        {...shown}
      />
    ),
  }
}

/** The changes that set properties by dotted path. */
export const toChanges = (sets: Readonly<Record<string, unknown>>): PropertyChange[] =>
  Object.entries(sets).map(([name, value]) => ({ path: name.split('.'), value }))

/** The value of a property by dotted path. */
export const readProperty = (values: ShownValues, name: string) => valueAt(values, name.split('.'))
