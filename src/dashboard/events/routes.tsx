import type { Context } from 'hono'
import * as z from 'zod'
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { ApiError, isErrorOf, statuses } from '../../model/api-error.ts'
import { recordAttendance } from '../../sign-up/register/attendance.ts'
import { findMembersOfBooking, type LikelyMember } from '../../sign-up/register/likely-members.ts'
import { findNeighbours } from '../../sign-up/register/neighbours.ts'
import { type RegisterEntry, readRegister } from '../../sign-up/register/register.ts'
import { addWalkIn } from '../../sign-up/register/walk-in.ts'
import { findSeries } from '../../store/sign-up/series.ts'
import { can, requireAction, requireReader } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { groupErrorsByField } from '../ui/form-values.ts'
import { redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { recordPath, registerPath } from '../ui/paths.ts'
import { messageRoutes } from './messages/routes.tsx'
import { renderEventsPage } from './page.tsx'
import { savePlaces, saveWaiting } from './places.ts'
import { renderQuestionsPage, saveQuestionsForm } from './questions.tsx'
import { RegisterPage, type RejectedWalkIn } from './register-page.tsx'
import { RegisterRow } from './register-row.tsx'
import { renderRegistersPage } from './registers-page.tsx'
import { type MarkedRow, saveScan } from './scan.ts'
import { SheetPage } from './sheet-page.tsx'
import { currentTab, tabQuery } from './tab.ts'
import { parseWalkIn } from './walk-in-form.tsx'

const requireRegisters = requireAction(
  'take-registers',
  'Your role allows you to read records but not to take registers.',
)

const requireWrite = requireAction(
  'write',
  'Your role allows you to read records but not to change the questions of an event.',
)

const requirePlaces = requireAction(
  'write',
  'Your role does not allow you to give places of an event.',
)

/** The events and their registers. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => (can(c, 'read') ? renderEventsPage(c) : renderRegistersPage(c)))
  .get('/:eventId', requireRegisters, (c) => openRegister(c, c.req.param('eventId')))
  .post('/scan', requireRegisters, (c) =>
    saveScan(c, isFromScript(c), (eventId, bookingIds) => renderRows(c, eventId, bookingIds)),
  )
  .get('/:eventId/sheet', requireRegisters, async (c) => {
    const register = await readRegister(c.var.store, c.req.param('eventId'))
    return c.html(<SheetPage c={c} register={register} />)
  })
  .post('/:eventId/walk-in', requireRegisters, (c) => saveWalkIn(c, c.req.param('eventId')))
  .route('/:eventId/messages', messageRoutes)
  .get('/:eventId/sign-ups/csv', requireWrite, (c) =>
    downloadSignUps(c, c.req.param('eventId'), 'csv'),
  )
  .get('/:eventId/sign-ups/xlsx', requireWrite, (c) =>
    downloadSignUps(c, c.req.param('eventId'), 'xlsx'),
  )
  .get('/:eventId/questions', requireWrite, (c) => renderQuestionsPage(c, c.req.param('eventId')))
  .post('/:eventId/questions', requireWrite, (c) => saveQuestionsForm(c, c.req.param('eventId')))
  .post('/:eventId/waiting', requirePlaces, (c) => saveWaiting(c, c.req.param('eventId')))
  .post('/:eventId/places', requirePlaces, (c) => savePlaces(c, c.req.param('eventId')))
  .get('/:eventId/sheet/csv', requireReader, (c) => downloadSheet(c, c.req.param('eventId'), 'csv'))
  .get('/:eventId/sheet/xlsx', requireReader, (c) =>
    downloadSheet(c, c.req.param('eventId'), 'xlsx'),
  )
  .post('/:eventId/mark', requireRegisters, (c) => saveMark(c, c.req.param('eventId')))

async function downloadSignUps(
  c: Context<DashboardEnv>,
  eventId: string,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const { downloadSignUps } = await import('./download-sign-ups.ts')
  return downloadSignUps(c, eventId, format)
}

async function downloadSheet(
  c: Context<DashboardEnv>,
  eventId: string,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const { downloadSheet } = await import('./download-sheet.ts')
  return downloadSheet(c, eventId, format)
}

/** Renders the register of an event, or leads from a series, which has none, to the page with its dates. */
async function openRegister(c: Context<DashboardEnv>, eventId: string) {
  try {
    return await renderRegister(c, eventId)
  } catch (error) {
    if (!isErrorOf(error, 'NOT_FOUND') || !can(c, 'read')) throw error
    const series = await findSeries(c.var.store, [eventId])
    if (series.size === 0) throw error
    return c.redirect(recordPath(c, 'events', eventId), 303)
  }
}

async function renderRegister(c: Context<DashboardEnv>, eventId: string, walkIn?: RejectedWalkIn) {
  const register = await readRegister(c.var.store, eventId)
  const [likely, neighbours] = await Promise.all([
    findChoices(c, register.entries),
    findNeighbours(c.var.store, register.event),
  ])
  const { notice } = takeFlash(c)
  return c.html(
    <RegisterPage
      c={c}
      register={register}
      neighbours={neighbours}
      likely={likely}
      notice={notice}
      walkIn={walkIn}
    />,
    walkIn ? 400 : 200,
  )
}

const maxChoices = 20

/** Finds the members who may be people who came. Stewards may not see members. */
async function findChoices(
  c: Context<DashboardEnv>,
  entries: readonly RegisterEntry[],
): Promise<ReadonlyMap<string, LikelyMember[]>> {
  const open = can(c, 'read')
    ? entries.filter(
        ({ mark, memberId, isVolunteer }) => mark === 'attended' && memberId === '' && !isVolunteer,
      )
    : []
  return new Map(
    await Promise.all(
      open
        .slice(0, maxChoices)
        .map(
          async ({ bookingId }) =>
            [bookingId, await findMembersOfBooking(c.var.store, bookingId)] as const,
        ),
    ),
  )
}

const MarkForm = z.object({
  booking: z.string().max(255),
  came: z.enum(['true', 'false', 'null']).transform((text): boolean | null => JSON.parse(text)),
  memberId: z.string().min(1).max(255).optional(),
  key: z.string().min(1).max(255),
})

/** Marks a booking. Returns its row to the script, and redirects other browsers to the register. */
async function saveMark(c: Context<DashboardEnv>, eventId: string) {
  const form = MarkForm.safeParse(await readFormBody(c.req))
  if (!form.success)
    throw new ApiError('BAD_REQUEST', 'Part of the form is missing. Open it again.')
  const { booking: bookingId, came, memberId, key } = form.data
  const isScript = isFromScript(c)
  const path = registerPath(c, eventId) + tabQuery(currentTab(c))
  try {
    const body = JSON.stringify([bookingId, came, memberId])
    const mark = { came, memberId }
    const { destination } = await c.var.openRecords()
    await recordAttendance(destination, bookingId, mark, { key, body })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (isScript) return c.json({ message: error.message }, statuses[error.type] as 400)
    return redirectWithFlash(c, path, { notice: error.message })
  }
  return isScript ? c.json({ row: await renderRow(c, eventId, bookingId) }) : c.redirect(path, 303)
}

/** Adds a walk-in. Returns their row to the script, and redirects other browsers to the register. */
async function saveWalkIn(c: Context<DashboardEnv>, eventId: string) {
  const submitted = await readFormBody(c.req)
  const { walkInFields } = await readRegister(c.var.store, eventId)
  const { typed, values, errors } = parseWalkIn(walkInFields, submitted)
  const reject = (errors: Record<string, string>) =>
    isFromScript(c)
      ? c.json({ errors, message: Object.values(errors).join(' ') }, 400)
      : renderRegister(c, eventId, { values: typed, errors })
  if (Object.keys(errors).length > 0) return reject(errors)
  const key = String(submitted.$key ?? crypto.randomUUID()).slice(0, 255)
  const body = JSON.stringify([eventId, values])
  try {
    const { destination } = await c.var.openRecords()
    const bookingId = await addWalkIn(destination, eventId, values, { key, body })
    if (isFromScript(c)) return c.json({ row: await renderRow(c, eventId, bookingId) })
    return redirectWithFlash(c, registerPath(c, eventId), { notice: 'The walk-in was added.' })
  } catch (error) {
    if (error instanceof ApiError && error.errors.length > 0)
      return reject(groupErrorsByField(error.errors, (field) => field))
    throw error
  }
}

/** Whether the script of the register sent a form, instead of the browser. */
const isFromScript = (c: Context<DashboardEnv>) => c.req.header('Accept') === 'application/json'

async function renderRow(c: Context<DashboardEnv>, eventId: string, bookingId: string) {
  const [marked] = await renderRows(c, eventId, [bookingId])
  return marked?.row ?? ''
}

async function renderRows(
  c: Context<DashboardEnv>,
  eventId: string,
  bookingIds: readonly string[],
): Promise<MarkedRow[]> {
  const { entries } = await readRegister(c.var.store, eventId)
  const marked = entries.filter(({ bookingId }) => bookingIds.includes(bookingId))
  const likely = await findChoices(c, marked)
  return marked.map((entry) => ({
    booking: entry.bookingId,
    row: (
      <RegisterRow c={c} eventId={eventId} entry={entry} likely={likely.get(entry.bookingId)} />
    ).toString(),
  }))
}
