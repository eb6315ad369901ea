import { isDated } from '../../model/value-types.ts'
import { type FilterKind, readOne } from './filter-kind.ts'
import { describePeriod, isPeriod, periodDays, periodNames } from './periods.ts'

/** A period such as the last quarter, of a date. */
export const period: FilterKind = {
  parameters: ['period'],
  read: readOne(
    (text, property) => (isPeriod(text) && isDated(property) ? text : undefined),
    () => 'a period',
  ),
  words: ({ period }) => (period ? ` ${describePeriod(period)}` : ''),
  range: ({ period }, today) => (period ? periodDays(period, today) : {}),
  Control: ({ filter: { property, period = '' } }) => (
    <div class="presets" role="radiogroup" aria-label={property.label}>
      <label>
        <input type="radio" name={`${property.name}~period`} value="" checked={period === ''} />
        Any time
      </label>
      {periodNames.map((value) => (
        <label>
          <input
            type="radio"
            name={`${property.name}~period`}
            value={value}
            checked={value === period}
          />
          {capitalise(describePeriod(value))}
        </label>
      ))}
    </div>
  ),
}

const capitalise = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
