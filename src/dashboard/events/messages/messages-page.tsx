import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { formatPeriod } from '../../../model/dates.ts'
import type { EventDocument } from '../../../sign-up/public-events.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Page } from '../../ui/page.tsx'
import { dashboardPath, messagesPath, registerPath } from '../../ui/paths.ts'

type Props = {
  c: Context<DashboardEnv>
  event: EventDocument
  /** Whether the event is a series: its dates have the times. */
  isSeries?: boolean
  /** The tab of the page, if it has one. */
  current?: 'write' | 'change' | 'sent'
  children: Child
}

/** Renders the frame of the pages with the messages about an event. */
export const MessagesPage = ({ c, event, isSeries = false, current, children }: Props) => {
  const { eventId, name, start, end } = event
  return (
    <Page
      c={c}
      title="Messages"
      crumbs={[
        { name: 'Events', href: dashboardPath(c, '/events') },
        { name: name || eventId, href: registerPath(c, eventId) },
      ]}
      lead={[name, ...(start && !isSeries ? formatPeriod(start, end) : [])]
        .filter(Boolean)
        .join(', ')}
      tabs={[
        { name: 'Write', href: messagesPath(c, eventId), isCurrent: current === 'write' },
        ...(current === 'change'
          ? [{ name: 'After a change', href: messagesPath(c, eventId, '/change'), isCurrent: true }]
          : []),
        { name: 'Sent', href: messagesPath(c, eventId, '/sent'), isCurrent: current === 'sent' },
      ]}
    >
      {children}
    </Page>
  )
}
