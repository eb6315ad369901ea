import { nameMayHold, toWords, usualName } from '../../model/properties/recognise.ts'
import { editDistance } from '../../model/spelling.ts'
import { knownHeadings, systems } from './known-headings.ts'

/** Normalises a heading for comparison: lower case, without punctuation, brackets and marks of custom fields. */
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

/** The usual name of a column with this heading: a name of the table of usual headings, also behind a word such as "Home", or that of a person's contact detail. */
export function canonicalName(heading: string): string | undefined {
  const words = normaliseHeading(heading)
  return (
    canonicalNames.get(words) ??
    usualName(words) ??
    canonicalNames.get(words.replace(ownerPrefix, ''))
  )
}

const ownerPrefix = /^(?:personal|home|main|primary|mailing|contact1|attendee|buyer|member|your) /

/** Which system an export with these headings is of, as far as they tell. */
export function detectSystem(headings: readonly string[]): string | undefined {
  const present = new Set(headings.map(normaliseHeading))
  return systems.find(([, marks]) => splitHeadings(marks).every((mark) => present.has(mark)))?.[0]
}

/** Whether two headings are alike but for a slip of the pen, or the order of their words. */
export function areSimilar(left: string, right: string): boolean {
  const [a, b] = [normaliseHeading(left), normaliseHeading(right)]
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

/** Whether a heading asks whether. */
export const isBooleanLike = (heading: string) =>
  /^(?:is|has|have|do|does|can|may|are|was|no|opt|opted|consent|agree|allow)(?: |$)|consent|opt (?:in|out)$/.test(
    normaliseHeading(heading),
  )

/** Whether a heading is of a day. */
export const isDateLike = (heading: string) =>
  nameMayHold('date of birth', heading) ||
  /(?:^| )(?:date|joined|since|started?|ended?|expires?|expiry|renewal|due|when|day|created|updated|modified|changed|added)(?: |$)/.test(
    normaliseHeading(heading),
  )

/** Whether a heading asks how many. */
export const isCountLike = (heading: string) =>
  /(?:^| )(?:how many|number of|count|children|dependants|adults|people|size|age|hours|visits|quantity|qty|total|sessions|score|amount)(?: |$)/.test(
    normaliseHeading(heading),
  )
