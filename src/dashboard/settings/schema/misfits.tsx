import type { Context } from 'hono'
import {
  affectedIds,
  maxChangedPeople,
  tooManyPeople,
} from '../../../admin/organisation-schemas.ts'
import { type Kind, kinds } from '../../../model/properties/schema.ts'
import type { Misfit } from '../../../records/schema-change.ts'
import { recordPath } from '../../records/paths.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { numberHeadings, Table } from '../../ui/table.tsx'
import { toWords } from '../../ui/words.ts'

type Props = { c: Context<DashboardEnv>; kind: Kind; misfits: readonly Misfit[] }

/** The values that a change would remove: how many people have them, and the most frequent ones with a link to an example. */
export function MisfitList({ c, kind, misfits }: Props) {
  return (
    <>
      {misfits
        .filter(({ reason }) => reason !== 'area')
        .map(({ field, reason, ids, values }) => (
          <>
            <p>
              <strong>{field}</strong>: {describeMisfits(kind, reason, ids.length)}
            </p>
            <Table
              label={`Values of ${field}`}
              firstHeading="Value"
              headings={[...numberHeadings(toWords(kind)), { text: 'For example' }]}
              rows={values.map(({ value, people, id }) => ({
                rowHeader: <span class="clip">{formatValue(value)}</span>,
                cells: [people.toLocaleString('en-GB'), <a href={recordPath(c, kind, id)}>{id}</a>],
              }))}
            />
          </>
        ))}
      {misfits.some(({ reason }) => reason === 'area') && (
        <p>The areas looked up from its postcodes are removed with the field.</p>
      )}
    </>
  )
}

/** Returns the label of the button that saves despite the misfits, or the obstacle that prevents it. */
export function resolveMisfits(
  kind: Kind,
  misfits: readonly Misfit[],
): { confirmLabel: string } | { obstacle: string } {
  const people = affectedIds(misfits).length
  if (misfits.some(({ reason }) => reason === 'shared'))
    return {
      obstacle: 'Correct these records first: each must have a different value in this field.',
    }
  if (people > maxChangedPeople) return { obstacle: tooManyPeople(kind) }
  if (people === 0) return { confirmLabel: 'Save' }
  return { confirmLabel: `Save, and remove these values from ${formatCount(kind, people)}` }
}

/** A text that identifies misfits, to check that the person has seen the current ones. */
export const serialiseMisfits = (misfits: readonly Misfit[]): string =>
  JSON.stringify(misfits.map(({ field, reason, ids }) => [field, reason, ids.length]))

function describeMisfits(kind: Kind, reason: Misfit['reason'], people: number): string {
  const subject = `${formatCount(kind, people)} ${people === 1 ? 'has' : 'have'}`
  if (reason === 'type') return `${subject} a value that does not fit the new type.`
  if (reason === 'shared') return `${subject} a value that somebody else has too.`
  if (reason === 'option')
    return `${subject} an option that you are removing. They keep it, but nobody can choose it again.`
  return `${subject} a value in this field.`
}

const formatCount = (kind: Kind, people: number) =>
  people === 1 ? `1 ${kinds[kind].singular}` : `${people.toLocaleString('en-GB')} ${kind}`

const formatValue = (value: unknown) =>
  Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
