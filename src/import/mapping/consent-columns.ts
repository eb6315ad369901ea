import { nameMayHoldConsent, nameNeedsConsent } from '../../model/properties/recognise.ts'
import type { ColumnFacts } from './column-facts.ts'
import { isYesNo } from './infer-type.ts'
import type { Mapping } from './mapping.ts'
import type { TableFacts } from './table-facts.ts'

/**
 * Whether a column may hold a consent, by its heading or by its cells: "Photos?" with Yes
 * and No, or "Status" with "Opted out". A doubtful column counts, because a person then decides.
 */
export function mayHoldConsent(heading: string, facts: ColumnFacts | undefined): boolean {
  if (!facts || facts.filled === 0) return false
  if (nameMayHoldConsent(heading)) return true
  const isMostlyYesNo = isYesNo(heading, facts) || facts.yesNo * 2 >= facts.filled
  if (isMostlyYesNo && nameNeedsConsent(heading)) return true
  return facts.values.texts?.values.some((text) => consentValue.test(text)) === true
}

const consentValue =
  /^(?:(?:no|not|has|have|given) )*(?:consent|opt(?:s|ed)?[ -]?(?:in|out)\b|(?:un)?subscribed|permission)/i

/** The headings of columns that may hold a consent and fill no field, unless a person decided so. */
export const listOpenConsents = (
  { columns, id }: Mapping,
  { tableFacts }: { tableFacts: TableFacts },
): string[] =>
  [...tableFacts.columns]
    .filter(([heading, facts]) => mayHoldConsent(heading, facts))
    .map(([heading]) => heading)
    .filter((heading) => {
      const mapped = columns.filter((column) => column.heading === heading)
      const isDecided = mapped.some(({ field, isLeftOut }) => field !== null || isLeftOut)
      return !isDecided && (id.isMade || !id.columns.includes(heading))
    })
