import type { Context } from 'hono'
import {
  affectedIds,
  maxChangedPeople,
  tooManyPeople,
} from '../../../admin/organisation-schemas.ts'
import { type Kind, kinds } from '../../../model/schema.ts'
import type { Misfit } from '../../../records/schema-change.ts'
import { recordPath } from '../../records/paths.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { numberHeadings, Table } from '../../ui/table.tsx'
import { toWords } from '../../ui/words.ts'

type Props = { c: Context<DashboardEnv>; kind: Kind; misfits: readonly Misfit[] }

/** What a change would leave without a place: how many people have it, and the values most of them have, each with a link to one of them. */
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
              label={`What ${kind} have in ${field}`}
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
        <p>The areas that were looked up for its postcodes go with the field.</p>
      )}
    </>
  )
}

/** What may be done about misfits: the button that goes on all the same, if anything may. */
export function resolveMisfits(
  kind: Kind,
  misfits: readonly Misfit[],
): { confirmLabel: string } | { obstacle: string } {
  const people = affectedIds(misfits).length
  if (misfits.some(({ reason }) => reason === 'shared'))
    return { obstacle: 'Correct these records first: no two may have the same value there.' }
  if (people > maxChangedPeople) return { obstacle: tooManyPeople(kind) }
  if (people === 0) return { confirmLabel: 'Save' }
  return { confirmLabel: `Save, and remove these values from ${formatCount(kind, people)}` }
}

/** Whether misfits are those that somebody was shown. */
export const serialiseMisfits = (misfits: readonly Misfit[]): string =>
  JSON.stringify(misfits.map(({ field, reason, ids }) => [field, reason, ids.length]))

function describeMisfits(kind: Kind, reason: Misfit['reason'], people: number): string {
  const subject = `${formatCount(kind, people)} ${people === 1 ? 'has' : 'have'}`
  if (reason === 'type') return `${subject} a value that is not of the new type.`
  if (reason === 'shared') return `${subject} a value that somebody else has, too.`
  if (reason === 'option')
    return `${subject} what is offered no more. They keep it, but it cannot be chosen again.`
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
