import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { lastDayOfMessages } from '../../../sign-up/deletion-days.ts'
import {
  type ChangeMessage,
  composeEventLetter,
  describeFacts,
  describeTimes,
  type TimeAndPlace,
} from '../../../sign-up/mailings/event-letter.ts'
import { queueMailing } from '../../../sign-up/mailings/queue.ts'
import type { Letter } from '../../../sign-up/message.ts'
import { type EventDocument, toPublicEvent } from '../../../sign-up/public-events.ts'
import { readVersions } from '../../../store/history/versions.ts'
import { findSeries } from '../../../store/sign-up/series.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { readItems } from '../../ui/fields.tsx'
import { FieldsForm } from '../../ui/fields-form.tsx'
import { type FieldValues, textOf } from '../../ui/form-values.ts'
import { Notice, redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { messagesPath, recordPath } from '../../ui/paths.ts'
import { LetterPreview } from './letter-preview.tsx'
import { describeRecipients, readMailingId, sentenceField } from './message-form.ts'
import { MessagesPage } from './messages-page.tsx'
import { hasAnybodyToTell, type OpenMessages, openMessages, toRecipients } from './open-messages.ts'

type Change = { before: TimeAndPlace; after: TimeAndPlace }

/** Offers to tell the people of an event that its time or place has changed. Leads to the event if there is nothing to tell. */
export async function renderMovedPage(c: Context<DashboardEnv>, eventId: string) {
  const offer = await openChange(c, eventId, c.req.query('from'))
  if (!offer) return c.redirect(recordPath(c, 'events', eventId), 303)
  const { notice } = takeFlash(c)
  return c.html(await buildPage(c, offer, { values: {}, notice }))
}

/** Sends the message after a preview of its final text. */
export async function saveChangeMessage(c: Context<DashboardEnv>, eventId: string) {
  const submitted = await readFormBody(c.req)
  const offer = await openChange(c, eventId, String(submitted.from ?? ''))
  if (!offer) return c.redirect(recordPath(c, 'events', eventId), 303)
  const values = readItems([sentenceField], submitted)
  const { open } = offer
  const mailing = { ...buildMailing(offer, values), id: readMailingId(submitted) }
  if (submitted.again !== undefined || Number(submitted.count) !== open.concerned.families.length)
    return c.html(await buildPage(c, offer, { values }))
  await queueMailing(c.var.store, mailing)
  const count = formatCount(open.concerned.families.length, 'address', 'addresses')
  return redirectWithFlash(c, messagesPath(c, eventId, `/sent/${mailing.id}`), {
    notice: `The message is on its way to ${count}.`,
  })
}

type ChangeOffer = { open: OpenMessages; change: Change }

/** The last change of an event's time or place, if there are people to tell. */
async function openChange(
  c: Context<DashboardEnv>,
  eventId: string,
  from: string | undefined,
): Promise<ChangeOffer | undefined> {
  const { mail, store } = c.var
  if (!mail) return undefined
  const [series, { current, versions }] = await Promise.all([
    findSeries(store, [eventId]),
    readVersions(store, { collection: 'events', id: eventId }),
  ])
  const isSeries = series.has(eventId)
  const describe = (event: EventDocument) =>
    (isSeries ? describeTimes : describeFacts)(toPublicEvent(event))
  const after = describe(JSON.parse(current ?? '{}'))
  const isSame = ({ period, place }: TimeAndPlace) =>
    period === after.period && place === after.place
  const before = versions
    .map(({ document }) => describe({ ...JSON.parse(document), eventId }))
    .find((facts) => !isSame(facts))
  if (!before) return undefined
  const open = await openMessages(c, eventId, {
    from,
    concerns: (date) => isSame(describe(date)),
  })
  return hasAnybodyToTell(open) ? { open, change: { before, after } } : undefined
}

const buildMailing = ({ open, change }: ChangeOffer, values: FieldValues) => ({
  id: crypto.randomUUID(),
  purpose: 'change',
  recordId: open.event.eventId,
  content: {
    before: change.before,
    text: textOf(values, sentenceField.name).trim().slice(0, 1000),
  } satisfies ChangeMessage,
  deleteAfter: lastDayOfMessages(open.last),
  recipients: toRecipients(open.concerned),
})

type Shown = { values: FieldValues; notice?: string | undefined }

async function buildPage(c: Context<DashboardEnv>, offer: ChangeOffer, { values, notice }: Shown) {
  const { open, change } = offer
  const [first] = open.concerned.families
  const mailing = buildMailing(offer, values)
  const composed = first && (await composeEventLetter(c.var.store, mailing, first))
  return (
    <ChangePage
      c={c}
      open={open}
      change={change}
      values={values}
      notice={notice}
      letter={composed?.letter}
    />
  )
}

type PageProps = Shown & {
  c: Context<DashboardEnv>
  open: OpenMessages
  change: Change
  letter: Letter | undefined
}

function ChangePage({ c, open, change: { before, after }, values, notice, letter }: PageProps) {
  const { event, concerned, from } = open
  const count = concerned.families.length
  const [first] = concerned.families
  return (
    <MessagesPage c={c} event={event} isSeries={open.dates !== undefined} current="change">
      <Notice message={notice} />
      <div class="split even">
        <div>
          <h2>The event has changed. Tell the people?</h2>
          <p class="quiet">{describeRecipients(concerned)}, booked or waiting.</p>
          <dl class="facts after">
            <Changed label="Time" before={before.period} after={after.period} />
            <Changed label="Place" before={before.place} after={after.place} />
          </dl>
          <div class="after">
            <FieldsForm
              action={messagesPath(c, event.eventId, '/change')}
              hidden={{ count, id: crypto.randomUUID(), from }}
              fields={[sentenceField]}
              values={values}
              saveLabel={`Send to ${formatCount(count, 'address', 'addresses')}`}
              cancelPath={recordPath(c, 'events', event.eventId)}
              cancelLabel="Do not tell them"
              buttons={
                <button type="submit" class="button" name="again" value="true">
                  Preview
                </button>
              }
            />
          </div>
        </div>
        {letter && (
          <LetterPreview
            letter={letter}
            organisation={c.var.membership?.organisation ?? ''}
            to={first?.name || first?.email || ''}
          />
        )}
      </div>
    </MessagesPage>
  )
}

const Changed = ({ label, before, after }: { label: string; before: string; after: string }) =>
  before === after ? null : (
    <div>
      <dt>{label}</dt>
      <dd>
        <del>
          <span class="visually-hidden">From </span>
          {before || 'none'}
        </del>{' '}
        <ins>
          <span class="visually-hidden">to </span>
          {after || 'none'}
        </ins>
      </dd>
    </div>
  )
