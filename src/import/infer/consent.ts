import { nameMayHoldConsent } from '../../model/properties/recognise.ts'
import type { Inspection } from './inspect.ts'
import type { Mapping } from './mapping.ts'

/** Returns the headings of columns that may hold a consent and fill no field, unless a person decided so. */
export const listOpenConsents = (
  { columns, id }: Mapping,
  { survey }: Pick<Inspection, 'survey'>,
): string[] =>
  [...survey.columns]
    .filter(([heading, { filled }]) => filled > 0 && nameMayHoldConsent(heading))
    .map(([heading]) => heading)
    .filter((heading) => {
      const mapped = columns.filter((column) => column.heading === heading)
      const isDecided = mapped.some(({ field, isLeftOut }) => field !== null || isLeftOut)
      return !isDecided && (id.isMade || !id.columns.includes(heading))
    })
