import { Picker } from '../../collection/picker.tsx'
import { textOf, textsOf } from '../../ui/form-values.ts'
import { readProperty, toChanges } from './choice-question.tsx'
import type { RecordQuestion } from './question.ts'

type LinkQuestion = {
  /** The property with the id or the ids. */
  name: string
  label: string
  collection: string
  hasSeveral?: boolean
  /** The value without a record, and the label of that choice; absent if a record is required. */
  none?: { value: '' | null; label: string }
  hint?: string
}

/** A question for linked records, which people search for by name. */
export function linkQuestion(question: LinkQuestion): RecordQuestion {
  const { name, label, collection, hasSeveral = false, none, hint } = question
  return {
    label,
    names: [name],
    lists: hasSeveral ? [name] : [],
    properties: [name],
    collection,
    read(values) {
      const value = readProperty(values, name)
      if (hasSeveral) return { [name]: Array.isArray(value) ? value.map(String) : [] }
      return { [name]: String(value ?? '') }
    },
    parse({ submitted }) {
      if (hasSeveral) return { changes: toChanges({ [name]: textsOf(submitted, name) }) }
      const id = textOf(submitted, name)
      return { changes: toChanges({ [name]: id === '' ? (none?.value ?? '') : id }) }
    },
    Control: ({ c, errors, chosen, search }) => (
      <Picker
        c={c}
        name={name}
        label={label}
        collection={collection}
        hasSeveral={hasSeveral}
        chosen={chosen}
        noneLabel={none?.label}
        search={search}
        hint={hint}
        error={errors[name]}
      />
    ),
  }
}
