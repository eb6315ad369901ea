import { nameMayHold } from '../../model/properties/recognise.ts'
import type { Field } from '../../model/properties/schema.ts'
import { detectListSeparator } from './choose-parsing.ts'
import type { ColumnFacts } from './column-facts.ts'
import { canonicalName, isBooleanLike, isCountLike, isDateLike, isIdLike } from './heading-names.ts'

/** A field type inferred from a column, with its options and the decisions to report. */
export type InferredType = { type: Field['type']; options?: string[]; decisions: string[] }

const maxOptions = 12
const maxSuggestions = 40

/** Infers a field's type from the heading and all cells of its column. */
export function inferType(heading: string, facts: ColumnFacts): InferredType {
  const { filled } = facts
  if (filled === 0) return { type: 'text', decisions: ['The column is empty.'] }
  const canonical = canonicalName(heading)
  const isMostly = (count: number, share: number) => count > 0 && count >= filled * share
  if (isMostly(facts.emails, 0.9)) return plainType('email')
  if (isYesNo(heading, facts)) return plainType('boolean')
  // Diallable numbers begin with + or 0.
  if (
    nameMayHold('phone', heading)
      ? isMostly(facts.phones, 0.7)
      : isMostly(facts.phones, 0.9) && isMostly(facts.diallable, 0.9)
  )
    return plainType('phone')
  if (facts.maxLength <= 16 && isMostly(facts.postcodes, canonical === 'Postcode' ? 0.5 : 0.9))
    return plainType('postcode')
  if (isMostly(facts.dates, 0.9) || (isDateLike(heading) && isMostly(facts.dateSerials, 0.95)))
    return plainType('date')
  if (!isIdLike(heading) && isQuantity(facts)) return plainType('number')
  if (isIdLike(heading) && facts.isUnique && facts.maxLength <= 100) return plainType('uniqueId')
  if (canonical === 'Country') return plainType('country')
  if (canonical === 'Tags') return { type: 'tags', decisions: [] }
  return isIdLike(heading) || freeTextNames.test(canonical ?? '')
    ? plainType('text', facts)
    : inferChoice(facts, openOptionNames.test(canonical ?? ''))
}

/** Names of free-text fields, and of fields with more possible values than a file shows. */
const freeTextNames = /^(?:.* Name|Surname|Known As|Address.*|Notes|Description|Project Title)$/
const openOptionNames = /^(?:Town|County|Title|Venue)$/

/** A type without options. A text needs the facts of its column: amounts in several currencies are texts. */
function plainType(type: Field['type'], facts?: ColumnFacts): InferredType {
  if (!facts || facts.currencies.size < 2) return { type, decisions: [] }
  const currencies = [...facts.currencies.keys()].join(' and ')
  return { type, decisions: [`The amounts are in ${currencies}, so they are stored as text.`] }
}

/** Whether every cell says yes or no. 1 and 0 count if the heading asks for yes or no, or if both occur and it names no count. */
export function isYesNo(heading: string, { filled, yesNo, ones, zeros }: ColumnFacts): boolean {
  if (yesNo === filled) return true
  if (isBooleanLike(heading) && yesNo + ones + zeros === filled) return true
  return ones > 0 && zeros > 0 && yesNo + ones + zeros === filled && !isCountLike(heading)
}

/** Whether cells are quantities: numbers in one currency, with hardly any exceptions. */
function isQuantity(facts: ColumnFacts): boolean {
  if (facts.currencies.size > 1 || facts.leadingZeros > 0 || facts.lostDigits > 0) return false
  if (facts.decimalPoints > 0 && facts.decimalCommas > 0) return false
  return facts.numbers >= facts.filled * (facts.filled < 100 ? 1 : 0.98)
}

/**
 * Infers a choice of one or several values, or text if the values are too many: the texts of a column, or of the parts
 * of its lists, are undefined once there are too many different ones.
 */
function inferChoice(facts: ColumnFacts, allowsOther: boolean): InferredType {
  const separator = detectListSeparator(facts)
  const parts = separator && facts.lists.get(separator)?.parts.texts
  if (parts) {
    const options = parts.values.toSorted()
    const separatorName = separator === '\n' ? 'a new line' : `"${separator}"`
    return {
      type: 'multipleSelect',
      options,
      decisions: [`Cells hold several values, with ${separatorName} between them.`],
    }
  }
  const values = facts.values.texts?.values
  if (values && facts.filled >= 10 && values.every((value) => value.length <= 60)) {
    const options = values.toSorted()
    const isClosed = !allowsOther && values.length > 1
    if (isClosed && values.length <= Math.min(maxOptions, facts.filled / 3)) {
      return { type: 'select', options, decisions: [] }
    }
    if (values.length <= Math.min(maxSuggestions, facts.filled / 5)) {
      return { type: 'selectAndOther', options, decisions: [] }
    }
  }
  return plainType('text', facts)
}
