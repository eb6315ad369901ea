import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { Wide } from '../page.tsx'
import { pathOfRecord } from '../records/paths.ts'
import { timeText } from '../records/value.tsx'
import type { EventFigure } from './event-figures.ts'

type Props = { c: Context<DashboardEnv>; events: readonly EventFigure[]; label: string }

/** Events with when they start, in the time of the United Kingdom, who comes, and the places left. */
export function EventTable({ c, events, label }: Props) {
  if (events.length === 0) return <p>There are none.</p>
  return (
    <Wide label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Starts</th>
            <th scope="col" class="number">
              Attending
            </th>
            <th scope="col" class="number">
              Places left
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, name, start, attending, left }) => (
            <tr>
              <th scope="row">
                <a href={pathOfRecord(c, 'events', id)}>{name}</a>
              </th>
              <td>
                <time datetime={start}>{timeText(start, 'time')}</time>
              </td>
              <td class="number">{attending.toLocaleString('en-GB')}</td>
              <td class="number">{left === undefined ? '–' : left.toLocaleString('en-GB')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
