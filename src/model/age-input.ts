import * as z from 'zod'
import { pluralise } from '../platform/pluralise.ts'
import { agePattern, parseAge } from './age.ts'

/** A maximum age: `90 days`, `18 months`, `7 years`. */
export const Age = z
  .string()
  .trim()
  .regex(agePattern, 'must be a number of days, months or years, such as 7 years.')
  .transform((text) => {
    const { number, unit } = parseAge(text)
    return `${number} ${pluralise(number, unit)}`
  })
