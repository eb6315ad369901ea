import { cutoffDate } from '../../model/age.ts'
import { isBirthDate } from '../../model/properties/recognise.ts'
import { addDays, type Ends } from '../ui/value-kinds.ts'
import { type FilterKind, readOne } from './filter-kind.ts'
import { Pair } from './pair.tsx'

/** A lowest and a highest age in years, of people by their date of birth. */
export const ages: FilterKind = {
  parameters: ['minage', 'maxage'],
  read: readOne(
    (text, property) =>
      isBirthDate(property) && /^\d{1,3}$/.test(text.trim()) ? text.trim() : undefined,
    () => 'an age, such as 25',
  ),
  label: 'Age',
  words({ minage, maxage }) {
    if (minage && maxage) return ` ${minage} to ${maxage}`
    return minage ? ` ${minage} and over` : ` up to ${maxage}`
  },
  range: ({ minage, maxage }, today) =>
    birthDays({ min: Number(minage ?? 0), max: maxage ? Number(maxage) : undefined }, today),
  Control: ({ filter: { property, minage, maxage } }) => (
    <Pair
      labels={['Age from', 'Age to']}
      names={[`${property.name}~minage`, `${property.name}~maxage`]}
      values={[minage, maxage]}
      attributes={{ inputmode: 'numeric', maxlength: 3 }}
    />
  ),
}

/** The first and the last day on which the people of some ages were born. */
export const birthDays = (
  { min, max }: { min: number; max: number | undefined },
  today: string,
): Ends => ({
  from: max === undefined ? undefined : addDays(lastBirthDay(max + 1, today), 1),
  to: lastBirthDay(min, today),
})

/** The birth day of the youngest people of an age. */
const lastBirthDay = (age: number, today: string) =>
  age === 0 ? today : cutoffDate(`${age} years`, today)
