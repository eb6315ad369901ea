import { type FilterKind, readOne } from './filter-kind.ts'

/** A part of a text, in any case. */
export const contains: FilterKind = {
  parameters: ['contains'],
  read: readOne(
    (text) => text.trim(),
    () => 'a text',
  ),
  words: ({ contains }) => ` contains “${contains}”`,
  condition: ({ property, contains = '' }) => ({
    name: property.name,
    operator: 'contains',
    literal: { type: 'text', value: contains },
    fieldFunction: 'tolower',
  }),
  Control: ({ filter: { property, contains } }) => (
    <label>
      Contains
      <input
        name={`${property.name}~contains`}
        aria-label={`${property.label} contains`}
        value={contains}
        maxlength={256}
        autocomplete="off"
      />
    </label>
  ),
}
