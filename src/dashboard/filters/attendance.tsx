import { kinds } from '../../model/properties/schema.ts'
import { formatCount } from '../../platform/pluralise.ts'
import type { FilterProperty } from './filter.ts'
import type { FilterKind } from './filter-kind.ts'

/** What lists of members filter by besides their fields: the days on which they came to events. */
export const attendanceProperty: FilterProperty = {
  name: 'booking.came',
  label: 'Came to an event',
  section: 'Events',
  type: 'date',
  isAttendance: true,
}

/** How often people came, to events with a tag. The days are the range or the period of the same filter. */
export const attendance: FilterKind = {
  parameters: ['tag', 'least'],
  read(text, { property }, parameter) {
    if (!property.isAttendance) return `${property.label} has no ${parameter}.`
    if (parameter === 'tag') return { tag: text.trim() }
    return /^[1-9]\d{0,2}$/.test(text.trim())
      ? { least: text.trim() }
      : `“${text}” is not a number of times, such as 3.`
  },
  words({ tag, least = '1' }) {
    const times = least === '1' ? '' : ` at least ${formatCount(Number(least), 'time')}`
    return (tag ? ` tagged “${tag}”` : '') + times
  },
  condition: ({ people = [] }) => ({
    name: kinds.members.id,
    literals: people.map((value) => ({ type: 'text', value })),
  }),
  Control({ filter: { property, tag = '', least }, source }) {
    const tags = 'choices' in source ? source.choices.map(({ value }) => value) : []
    return (
      <div class="pair">
        <label>
          Event tag
          <select name={`${property.name}~tag`}>
            <option value="">Any event</option>
            {[...new Set([...tags, tag])]
              .filter((value) => value !== '')
              .map((value) => (
                <option value={value} selected={value === tag}>
                  {value}
                </option>
              ))}
          </select>
        </label>
        <label>
          Number of times, at least
          <input
            name={`${property.name}~least`}
            value={least}
            inputmode="numeric"
            maxlength={3}
            autocomplete="off"
          />
        </label>
      </div>
    )
  },
}
