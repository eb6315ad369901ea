import { distanceOf } from '../../model/distance.ts'
import { systems, usualHeadings } from './usual-headings.ts'

/** A heading as it is compared: small words without punctuation, brackets and what marks a custom field. */
export const plain = (heading: string): string =>
  heading
    .slice(0, longest)
    .replace(/__[cr]$/i, '')
    .replaceAll(/\([^)]*\)|\*|#/g, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

// Whoever makes a file may not decide how long comparing takes.
const longest = 80

const listed = (headings: string) => headings.trim().split(/,\s+/)

const usualOf = new Map(
  Object.entries(usualHeadings).flatMap(([name, headings]) =>
    [plain(name), ...listed(headings)].map((heading) => [heading, name] as const),
  ),
)

/** What a column of this heading is usually: a name of the table of usual headings, if it is there, also behind a word such as "Home". */
export function usualName(heading: string): string | undefined {
  const words = plain(heading)
  return usualOf.get(words) ?? usualOf.get(words.replace(whose, ''))
}

const whose = /^(?:personal|home|main|primary|mailing|contact1|attendee|buyer|member|your) /

/** Which system an export with these headings is of, as far as they tell. */
export function systemOf(headings: readonly string[]): string | undefined {
  const present = new Set(headings.map(plain))
  return systems.find(([, marks]) => listed(marks).every((mark) => present.has(mark)))?.[0]
}

/** Whether two headings are alike but for a slip of the pen, or the order of their words. */
export function areAlike(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)]
  if (a === b) return true
  if (sorted(a) === sorted(b)) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 5 || long.length - short.length > 2 || /\d/.test(short + long)) return false
  return distanceOf(a, b) <= Math.floor(short.length / 6) + 1
}

const sorted = (words: string) =>
  words
    .split(' ')
    .filter((word) => !fillers.has(word))
    .toSorted()
    .join(' ')

const fillers = new Set(['of', 'the', 'a', 'your', 'please', 'enter', 'what', 'is', 's'])

/** Whether a heading is of something that identifies a record, and not of a quantity. */
export const isIdLike = (heading: string) =>
  (/(?:^| )(?:id|ids|ref|reference|number|no|code|urn|uid|guid|key|identifier)$/.test(
    plain(heading),
  ) &&
    !/house|phone|mobile|tel |fax|account|sort|room|flat/.test(plain(heading)) &&
    usualName(heading) !== 'Postcode') ||
  /#\s*$/.test(heading) ||
  usualName(heading) === 'Record ID'

/** Whether a heading asks whether. */
export const isWhether = (heading: string) =>
  /^(?:is|has|have|do|does|can|may|are|was|no|opt|opted|consent|agree|allow)(?: |$)|consent|opt (?:in|out)$/.test(
    plain(heading),
  )

/** Whether a heading is of a day. */
export const isDateLike = (heading: string) =>
  /(?:^| )(?:date|dob|birth|birthday|born|joined|since|started?|ended?|expires?|expiry|renewal|due|when|day|created|updated|modified|changed|added)(?: |$)/.test(
    plain(heading),
  )

/** Whether a heading asks how many. */
export const isCountLike = (heading: string) =>
  /(?:^| )(?:how many|number of|count|children|dependants|adults|people|size|age|hours|visits|quantity|qty|total|sessions|score|amount)(?: |$)/.test(
    plain(heading),
  )
