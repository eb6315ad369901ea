import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { Time } from '../parts/time.tsx'
import { pathOfRecord } from '../records/paths.ts'
import { numbers, Table } from '../table.tsx'
import type { EventFigure } from './event-figures.ts'

type Props = { c: Context<DashboardEnv>; events: readonly EventFigure[]; label: string }

/** Events with when they start, in the time of the United Kingdom, who comes, and the places left. */
export function EventTable({ c, events, label }: Props) {
  if (events.length === 0) return <p>There are none.</p>
  return (
    <Table
      label={label}
      lead="Event"
      headings={[{ text: 'Starts' }, ...numbers('Attending', 'Places left')]}
      rows={events.map(({ id, name, start, attending, left }) => ({
        lead: <a href={pathOfRecord(c, 'events', id)}>{name}</a>,
        cells: [
          <Time at={start} />,
          attending.toLocaleString('en-GB'),
          left === undefined ? '–' : left.toLocaleString('en-GB'),
        ],
      }))}
    />
  )
}
