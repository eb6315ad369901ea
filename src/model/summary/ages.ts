import { ageOn } from '../age.ts'
import { invalidField } from '../api-error.ts'
import type { FilterExpression, NamedComparison } from '../query/filter-expression.ts'
import { testNumber } from '../query/operators.ts'
import { isDay, londonDayOf } from './buckets.ts'

/*
 * The age of a person on the day of a record, such as that of a member on the day of a booking. It compares two fields,
 * which no index has, so a summary tests each record that passes the other conditions.
 */

/** A condition on an age: the names of the dates of birth and of the record, and the test of the age in years. */
export type AgeCondition = {
  born: string
  on: string
  test: (years: number) => boolean
  /** The option that has the condition. */
  option: string
}

/** Takes the conditions on ages out of a filter. Throws 400 if one compares with anything but a number. */
export function splitAges(filter: FilterExpression | undefined) {
  const others: FilterExpression[] = []
  const ages: AgeCondition[] = []
  for (const part of filter ? listConjuncts(filter) : []) {
    if (!('ageOn' in part) || part.ageOn === undefined) others.push(part)
    else ages.push(toAgeCondition(part, part.ageOn))
  }
  return { filter: others.length > 1 ? { and: others } : others[0], ages }
}

const listConjuncts = (filter: FilterExpression): FilterExpression[] =>
  'and' in filter ? filter.and.flatMap(listConjuncts) : [filter]

function toAgeCondition(
  { name, operator, literal, option = '$filter' }: NamedComparison,
  on: string,
): AgeCondition {
  if (literal.type !== 'number')
    throw invalidField(
      option,
      'invalid_type',
      'age(…) is a number: compare it with a number, such as 16.',
    )
  return { born: name, on, test: testNumber(operator, literal.value), option }
}

/** The age on the day of a date or a time of a person who was born on another; undefined before the birth. */
export function ageOnDay(on: string, born: string): number | undefined {
  const [day, birthDay] = [londonDayOf(on), londonDayOf(born)]
  return isDay(day) && isDay(birthDay) ? ageOn(day, birthDay) : undefined
}
