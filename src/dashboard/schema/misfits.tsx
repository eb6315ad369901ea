import type { Context } from 'hono'
import { idsToChange, mostDropped, tooManyToChange } from '../../auth/organisation-schemas.ts'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { type Kind, kinds } from '../../model/schema.ts'
import type { Misfit } from '../../records/schema-change.ts'
import { pathOfRecord } from '../records/paths.ts'
import { numbers, Table } from '../table.tsx'
import { inWords } from '../words.ts'

type Props = { c: Context<DashboardEnv>; kind: Kind; misfits: readonly Misfit[] }

/** What a change would leave without a place: how many people have it, and the values most of them have, each with a link to one of them. */
export function Misfits({ c, kind, misfits }: Props) {
  return (
    <>
      {misfits
        .filter(({ reason }) => reason !== 'area')
        .map(({ field, reason, ids, values }) => (
          <>
            <p>
              <strong>{field}</strong>: {sentence(kind, reason, ids.length)}
            </p>
            <Table
              label={`What ${kind} have in ${field}`}
              lead="Value"
              headings={[...numbers(inWords(kind)), { text: 'For example' }]}
              rows={values.map(({ value, people, id }) => ({
                lead: <span class="clip">{inText(value)}</span>,
                cells: [
                  people.toLocaleString('en-GB'),
                  <a href={pathOfRecord(c, kind, id)}>{id}</a>,
                ],
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
export function wayOn(kind: Kind, misfits: readonly Misfit[]): { act: string } | { why: string } {
  const people = idsToChange(misfits).length
  if (misfits.some(({ reason }) => reason === 'shared'))
    return { why: 'Correct these records first: no two may have the same value there.' }
  if (people > mostDropped) return { why: tooManyToChange(kind) }
  if (people === 0) return { act: 'Save' }
  return { act: `Save, and remove these values from ${counted(kind, people)}` }
}

/** Whether misfits are those that somebody was shown. */
export const seenAs = (misfits: readonly Misfit[]): string =>
  JSON.stringify(misfits.map(({ field, reason, ids }) => [field, reason, ids.length]))

function sentence(kind: Kind, reason: Misfit['reason'], people: number): string {
  const have = `${counted(kind, people)} ${people === 1 ? 'has' : 'have'}`
  if (reason === 'type') return `${have} a value that is not of the new type.`
  if (reason === 'shared') return `${have} a value that somebody else has, too.`
  if (reason === 'option')
    return `${have} what is offered no more. They keep it, but it cannot be chosen again.`
  return `${have} a value in this field.`
}

const counted = (kind: Kind, people: number) =>
  people === 1 ? `1 ${kinds[kind].singular}` : `${people.toLocaleString('en-GB')} ${kind}`

const inText = (value: unknown) =>
  Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
