import type { Field } from '../../model/schema.ts'
import { isCountLike, isDateLike, isIdLike, isWhether, usualName } from './called.ts'
import type { ColumnFacts } from './column-facts.ts'
import type { As } from './mapping.ts'
import { separatorOf } from './reading.ts'

/** What a field is, by what its column holds. */
export type Inferred = { type: Field['type']; options?: string[]; decisions: string[] }

const mostOptions = 12
const mostSuggestions = 40

/** What type of field a column is, by the whole of its cells and by what it is called. */
export function inferType(heading: string, facts: ColumnFacts): Inferred {
  const { filled } = facts
  if (filled === 0) return { type: 'text', decisions: ['The column is empty.'] }
  const usual = usualName(heading)
  const most = (count: number, share: number) => count > 0 && count >= filled * share
  if (most(facts.emails, 0.9)) return plainly('email')
  if (isYesNo(heading, facts)) return plainly('boolean')
  const isPhone = usual === 'Phone' || usual === 'Mobile' || /phone|mobile|tel\b/i.test(heading)
  if (isPhone ? most(facts.phones, 0.7) : most(facts.phones, 0.9) && most(facts.dialled, 0.9))
    return phone(facts)
  if (facts.longest <= 16 && most(facts.postcodes, usual === 'Postcode' ? 0.5 : 0.9))
    return plainly('postcode')
  if (most(facts.dates, 0.9) || (isDateLike(heading) && most(facts.serials, 0.95)))
    return plainly('date')
  if (!isIdLike(heading) && isQuantity(facts)) return plainly('number')
  if (isIdLike(heading) && facts.isUnique && facts.longest <= 100) return plainly('uniqueId')
  if (usual === 'Country') return plainly('country')
  if (usual === 'Tags') return { type: 'tags', decisions: [] }
  return isIdLike(heading) || areOwnWords.test(usual ?? '')
    ? plainly('text', facts)
    : choice(facts, areOpen.test(usual ?? ''))
}

/** What everybody writes for themselves; and what more values may come in than a file has. */
const areOwnWords = /^(?:.* Name|Surname|Address.*|Notes|Description|Project Title)$/
const areOpen = /^(?:Town|County|Title|Venue)$/

function plainly(type: Field['type'], facts?: ColumnFacts): Inferred {
  if (!facts || facts.currencies.size < 2) return { type, decisions: [] }
  const currencies = [...facts.currencies.keys()].join(' and ')
  return { type, decisions: [`The amounts are in ${currencies}, so they are kept as text.`] }
}

function phone(facts: ColumnFacts): Inferred {
  const lost = facts.phones - facts.dialled
  const decisions =
    lost > facts.phones / 2
      ? [
          'Most numbers do not begin with 0: a spreadsheet may have lost it. They are kept as they are.',
        ]
      : []
  return { type: 'phone', decisions }
}

/** Whether cells say yes or no and nothing else; 1 and 0 do where both occur and nothing is counted. */
function isYesNo(heading: string, { filled, yesNo, ones, zeros }: ColumnFacts): boolean {
  if (yesNo === filled) return true
  if (isWhether(heading) && yesNo + ones + zeros === filled) return true
  return ones > 0 && zeros > 0 && yesNo + ones + zeros === filled && !isCountLike(heading)
}

/** Whether cells are numbers that can be added up: in one currency, and hardly a cell that is none. */
function isQuantity(facts: ColumnFacts): boolean {
  if (facts.currencies.size > 1 || facts.leadingZeros > 0 || facts.shortened > 0) return false
  if (facts.points > 0 && facts.commas > 0) return false
  return facts.numbers >= facts.filled * (facts.filled < 100 ? 1 : 0.98)
}

/** A choice among a few values, one or several of them, or text. */
function choice(facts: ColumnFacts, isOpen: boolean): Inferred {
  const separator = separatorOf(facts)
  const parts = separator && facts.lists.get(separator)?.parts.texts
  if (parts) {
    const options = parts.values.toSorted()
    const shown = separator === '\n' ? 'a new line' : `"${separator}"`
    return {
      type: 'multipleSelect',
      options,
      decisions: [`Cells hold several values, with ${shown} between them.`],
    }
  }
  const values = facts.values.texts?.values
  if (values && facts.filled >= 10 && values.every((value) => value.length <= 60)) {
    const options = values.toSorted()
    const isClosed = !isOpen && values.length > 1
    if (isClosed && values.length <= Math.min(mostOptions, facts.filled / 3)) {
      return { type: 'select', options, decisions: [] }
    }
    if (values.length <= Math.min(mostSuggestions, facts.filled / 5)) {
      return { type: 'selectAndOther', options, decisions: [] }
    }
  }
  return plainly('text', facts)
}

/** What the cells of a field are read as. */
export function readAs({ type }: Pick<Field, 'type'>): As {
  switch (type) {
    case 'number':
    case 'boolean':
    case 'date':
      return type
    case 'phone':
    case 'phoneNumber':
      return 'phone'
    case 'select':
      return 'option'
    case 'multipleSelect':
    case 'tags':
      return 'list'
    default:
      return 'text'
  }
}
