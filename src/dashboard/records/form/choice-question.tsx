import { valueAt } from '../../../model/json.ts'
import type { ShownValues } from '../../collection/collection-info.ts'
import { FieldError } from '../../ui/form.tsx'
import { type Change, type Question, textOf } from './question.ts'

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
export function choiceQuestion({ name, label, options, read }: ChoiceQuestion): Question {
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
    Control: ({ values, errors }) => {
      const id = `field-${name}`
      const error = errors[name]
      return (
        <fieldset class="field" id={id} aria-describedby={error && `${id}-error`}>
          {/* The heading beside it has the same words. */}
          <legend class="visually-hidden">{label}</legend>
          <FieldError id={id} message={error} />
          {options.map(({ value, label, hint }) => (
            <label class="choice">
              <input
                type="radio"
                name={name}
                value={value}
                checked={value === textOf(values, name)}
              />
              <span>
                {label}
                {hint && <small>{hint}</small>}
              </span>
            </label>
          ))}
        </fieldset>
      )
    },
  }
}

/** The changes that set properties by dotted path. */
export const toChanges = (sets: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(sets).map(([name, value]) => ({ path: name.split('.'), value }))

/** The value of a property by dotted path. */
export const readProperty = (values: ShownValues, name: string) => valueAt(values, name.split('.'))
