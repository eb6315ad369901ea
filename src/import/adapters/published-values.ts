import * as z from 'zod'
import { toTimestamp } from '../../model/timestamp.ts'
import { messages } from '../../model/validation-error.ts'
import { toPence } from '../../platform/money.ts'

/*
 * Parses the values that publishers write. Many files come from spreadsheets: dates with the day
 * first, amounts with signs and commas, numbers as text.
 */

/** Parses text: trims it, converts numbers to text and null to "". Undefined if absent. */
export const publishedText = () =>
  z.preprocess((value) => toText(value) ?? '', z.string(messages.text)).optional()

/** Parses required text of at most `maxCharacters` characters. */
export const requiredText = (maxCharacters = Number.POSITIVE_INFINITY) =>
  z.preprocess(
    toText,
    z
      .string(messages.text)
      .min(1, messages.notEmpty)
      .max(maxCharacters, messages.maxCharacters(maxCharacters)),
  )

/** Parses an organisation's identifier (org-id.guide). Removes spaces between the register and the number. */
export const organisationId = () =>
  z.preprocess((value) => {
    const id = toText(value)
    return typeof id === 'string' ? id.replace(/^([A-Z]{2}-[A-Z]+-)\s+/, '$1') : id
  }, publishedText())

/** Parses a currency code (ISO 4217) in upper or lower case. */
export const currency = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim().toUpperCase() : value),
    z.string(notACurrency).regex(/^[A-Z]{3}$/, notACurrency),
  )

/** Parses an amount of money: a number, or text such as "£15,000.00". */
export const amount = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? toNumber(value) : (value ?? undefined)),
    z.number(notAnAmount).refine((value) => Number.isSafeInteger(toPence(value)), notAnAmount),
  )

/** Parses a number of months, also from text. */
export const months = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? toNumber(value) : (value ?? undefined)),
    z.number(notMonths).min(0, notMonths),
  )

/** Parses a boolean, also from words such as "Yes". Null if blank, undefined if absent. */
export const yesOrNo = () =>
  z.preprocess(toBoolean, z.boolean('must be Yes or No.').nullable()).optional()

/** Parses a time from ISO 8601 or DD/MM/YYYY, each with or without a time of day. */
export const moment = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (toTimestamp(toIso(value)) ?? value) : value),
    z.iso.datetime({ precision: 3, error: notADate }),
  )

/** Parses a day `YYYY-MM-DD` in the publisher's time zone, from the same formats as `moment`. */
export const day = () =>
  z.preprocess((value) => {
    if (typeof value !== 'string' || toTimestamp(toIso(value)) === undefined) return value
    return toIso(value).slice(0, 10)
  }, z.iso.date(notADate))

/** Makes a schema optional: null and blank text become null, an absent value undefined. */
export const optionalValue = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (isBlank(value) ? null : value), schema.nullable()).optional()

const notACurrency = 'must be a currency code of three letters, such as GBP.'
const notAnAmount = 'must be an amount of money, such as 15000 or "£15,000.00".'
const notMonths = 'must be a number of months.'
const notADate = 'must be a real date, as YYYY-MM-DD or DD/MM/YYYY.'

const isBlank = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '')

function toText(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : (value ?? undefined)
}

function toNumber(value: string): number | string {
  const match = /^(-?)£?\s*(\d+|\d{1,3}(?:,\d{3})+)(\.\d+)?$/.exec(value.trim())
  return match ? Number(`${match[1]}${match[2]?.replaceAll(',', '')}${match[3] ?? ''}`) : value
}

function toBoolean(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (/^(y|yes|true)$/i.test(value.trim())) return true
  if (/^(n|no|false)$/i.test(value.trim())) return false
  return isBlank(value) ? null : value
}

function toIso(value: string): string {
  return value
    .trim()
    .replace(
      /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?= |$)/,
      (_, day: string, month: string, year: string) =>
        `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    )
}
