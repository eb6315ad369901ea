import type { Context } from 'hono'
import { recordPath } from '../records/paths.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { numberHeadings, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import type { EventFigure } from './event-figures.ts'

type Props = { c: Context<DashboardEnv>; events: readonly EventFigure[]; label: string }

/** A table of events with their start in UK time, attendance and places left. */
export function EventTable({ c, events, label }: Props) {
  if (events.length === 0) return <p>There are no events.</p>
  return (
    <Table
      label={label}
      firstHeading="Event"
      headings={[{ text: 'Starts' }, ...numberHeadings('Attending', 'Places left')]}
      rows={events.map(({ id, name, start, attending, placesLeft }) => ({
        rowHeader: <a href={recordPath(c, 'events', id)}>{name}</a>,
        cells: [
          <Time value={start} />,
          attending.toLocaleString('en-GB'),
          placesLeft === undefined ? '–' : placesLeft.toLocaleString('en-GB'),
        ],
      }))}
    />
  )
}
