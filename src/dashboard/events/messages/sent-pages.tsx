import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { formatShortDay, formatShortMoment } from '../../../model/dates.ts'
import type { EventDocument } from '../../../sign-up/public-events.ts'
import { readSingle } from '../../../store/read/single.ts'
import {
  listMailings,
  readMailing,
  type SentMailing,
} from '../../../store/sign-up/sent-mailings.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Notice, takeFlash } from '../../ui/notice.tsx'
import { messagesPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import { MessagesPage } from './messages-page.tsx'
import { describeSent, nameSender, SentTable, stateLabels, titleOf } from './sent-table.tsx'

/** Renders the messages that were sent about an event. */
export async function renderSentPage(c: Context<DashboardEnv>, eventId: string) {
  const event = await readEvent(c, eventId)
  const mailings = await listMailings(c.var.store, eventId)
  const { notice } = takeFlash(c)
  return c.html(
    <MessagesPage c={c} event={event} current="sent">
      <Notice message={notice} />
      {mailings.length === 0 ? (
        <p>No messages were sent about this event.</p>
      ) : (
        <SentTable
          mailings={mailings}
          pathOf={({ id }) => messagesPath(c, eventId, `/sent/${encodeURIComponent(id)}`)}
        />
      )}
      <DeletionNote mailings={mailings} />
    </MessagesPage>,
  )
}

/** Renders who got a message about an event, and who did not. */
export async function renderMailingPage(c: Context<DashboardEnv>, eventId: string, id: string) {
  const event = await readEvent(c, eventId)
  const { mailing, messages } = await readMailing(c.var.store, eventId, id)
  if (!mailing) throw new ApiError('NOT_FOUND', 'This message does not exist, or was deleted.')
  const { notice } = takeFlash(c)
  return c.html(
    <MessagesPage c={c} event={event} current="sent">
      <Notice message={notice} />
      <section class="section">
        <h2>{titleOf(mailing)}</h2>
        <p class="quiet">
          {nameSender(mailing)}, {formatShortMoment(mailing.created)}: {describeSent(mailing)}
        </p>
        <DataTable
          label="Recipients"
          isStacked
          rows={messages}
          columns={[
            { heading: 'Contact', cell: ({ name, email }) => name || email },
            { heading: 'State', cell: ({ state }) => stateLabels[state] ?? state },
            { heading: 'For', cell: ({ people }) => people.join(', ') },
            { heading: 'Address', cell: ({ email }) => email },
          ]}
        />
        <p class="quiet">
          <em>Sent</em> means that the mail provider accepted the message: whether it came back,
          only the provider knows. <em>Perhaps not sent</em> means that the provider did not answer;
          it is not sent again, so that nobody gets it twice. <em>Left out</em> means that the
          booking had ended before.
        </p>
      </section>
      <DeletionNote mailings={[mailing]} />
    </MessagesPage>,
  )
}

const DeletionNote = ({ mailings }: { mailings: readonly SentMailing[] }) => {
  const day = mailings
    .map(({ deleteAfter }) => deleteAfter)
    .toSorted()
    .at(-1)
  return day && <p class="quiet after">Deleted with the sign-ups, after {formatShortDay(day)}.</p>
}

async function readEvent(c: Context<DashboardEnv>, eventId: string): Promise<EventDocument> {
  const { record } = await readSingle(c.var.store, { collection: 'events', id: eventId })
  if (!record) throw new ApiError('NOT_FOUND', 'There is no event with this eventId.')
  return JSON.parse(record.document)
}
