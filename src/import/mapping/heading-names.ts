import { nameMayHold, toWords, usualName } from '../../model/properties/recognise.ts'
import { editDistance } from '../../model/spelling.ts'
import { knownHeadings, systems } from './known-headings.ts'

/** Normalises a heading for comparison: lower case, without punctuation, text in brackets and suffixes of custom fields. */
export const normaliseHeading = (heading: string): string =>
  toWords(
    heading
      .slice(0, maxHeadingCharacters)
      .replace(/__[cr]$/i, '')
      .replaceAll(/\([^)]*\)/g, ' '),
  )

// Limits the time for comparing headings.
const maxHeadingCharacters = 80

const splitHeadings = (headings: string) => headings.trim().split(/,\s+/)

const canonicalNames = new Map(
  Object.entries(knownHeadings).flatMap(([name, headings]) =>
    [normaliseHeading(name), ...splitHeadings(headings)].map((heading) => [heading, name] as const),
  ),
)

/** The canonical name of a heading from the known headings or contact details. Ignores prefixes such as "Home". */
export function canonicalName(heading: string): string | undefined {
  const words = normaliseHeading(heading)
  return (
    canonicalNames.get(words) ??
    usualName(words) ??
    canonicalNames.get(words.replace(ownerPrefix, ''))
  )
}

const ownerPrefix = /^(?:personal|home|main|primary|mailing|contact1|attendee|buyer|member|your) /

/** The system that exports these headings, if they identify one. */
export function detectSystem(headings: readonly string[]): string | undefined {
  const present = new Set(headings.map(normaliseHeading))
  return systems.find(([, marks]) => splitHeadings(marks).every((mark) => present.has(mark)))?.[0]
}

/** Whether two headings differ only in a typing error, word order or filler words. */
export function areSimilar(left: string, right: string): boolean {
  const a = normaliseHeading(left)
  const b = normaliseHeading(right)
  if (a === b) return true
  if (sortWords(a) === sortWords(b)) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 5 || long.length - short.length > 2 || /\d/.test(short + long)) return false
  return editDistance(a, b) <= Math.floor(short.length / 6) + 1
}

const sortWords = (words: string) =>
  words
    .split(' ')
    .filter((word) => !fillerWords.has(word))
    .toSorted()
    .join(' ')

const fillerWords = new Set(['of', 'the', 'a', 'your', 'please', 'enter', 'what', 'is', 's'])

/** Whether a heading names an identifier rather than a quantity. */
export const isIdLike = (heading: string) =>
  (/(?:^| )(?:id|ids|ref|reference|number|no|code|urn|uid|guid|key|identifier)$/.test(
    normaliseHeading(heading),
  ) &&
    !/house|account|sort|room|flat/.test(normaliseHeading(heading)) &&
    !nameMayHold('phone', heading) &&
    canonicalName(heading) !== 'Postcode') ||
  /#\s*$/.test(heading) ||
  canonicalName(heading) === 'Record ID'

export const isBooleanLike = (heading: string) =>
  /^(?:is|has|have|do|does|can|may|are|was|no|opt|opted|consent|agree|allow)(?: |$)|consent|opt (?:in|out)$/.test(
    normaliseHeading(heading),
  )

export const isDateLike = (heading: string) =>
  nameMayHold('date of birth', heading) ||
  /(?:^| )(?:date|joined|since|started?|ended?|expires?|expiry|renewal|due|when|day|created|updated|modified|changed|added)(?: |$)/.test(
    normaliseHeading(heading),
  )

export const isCountLike = (heading: string) =>
  /(?:^| )(?:how many|number of|count|children|dependants|adults|people|size|age|hours|visits|quantity|qty|total|sessions|score|amount)(?: |$)/.test(
    normaliseHeading(heading),
  )
