import { compareCodePoints } from '../model/query/compare-texts.ts'

const maxCharacters = 128

/**
 * The OData names of fields, by field. Their order does not matter, so that a name stays the
 * same when a schema is sorted differently. Names that differ only in case get numbers, because Power BI and
 * Tableau treat such columns as one.
 */
export function assignNames(key: string, fields: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const isName = (field: string) => Number(toName(field) === field)
  const sorted = fields.toSorted(
    (one, other) => isName(other) - isName(one) || compareCodePoints(one, other),
  )
  for (const field of [key, ...sorted]) {
    const name = firstFree(toName(field), taken)
    taken.add(name.toLowerCase())
    names.set(field, name)
  }
  return names
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number++) {
    const suffix = `_${number}`
    free = name.slice(0, maxCharacters - suffix.length) + suffix
  }
  return free
}

/** A field's path as an OData identifier: letters, digits and `_`, not beginning with a digit. */
function toName(field: string): string {
  // Characters beyond U+FFFF are replaced, because Microsoft's parser knows no letters there.
  const name = field
    .normalize('NFC')
    .replaceAll(/(?:[^\p{L}\p{Nd}_]|[\u{10000}-\u{10ffff}])+/gu, '_')
  return (/^[\p{L}_]/u.test(name) ? name : `_${name}`).slice(0, maxCharacters)
}

/** A name such as `survey-responses` as `SurveyResponses`. */
export const toSetName = (collection: string) =>
  collection
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
