import type { Context } from 'hono'
import * as z from 'zod'
import { readFormBody } from '../../http/body.ts'
import { ApiError, statuses } from '../../model/api-error.ts'
import { markScanned } from '../../sign-up/register/scan.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { dashboardPath, registerPath } from '../ui/paths.ts'
import { renderScannedPeople } from './scan-form.tsx'

/** The row of a booking, as HTML. */
export type MarkedRow = { booking: string; row: string }

const ScanForm = z.object({
  link: z.string().max(2000).catch(''),
  event: z.string().max(255).optional(),
})

/**
 * Marks the bookings of a scanned link. Returns a message, the people with buttons that take a mark back, and their
 * rows from `renderRows` to the script; redirects other browsers to the register.
 */
export async function saveScan(
  c: Context<DashboardEnv>,
  isScript: boolean,
  renderRows: (eventId: string, bookingIds: readonly string[]) => Promise<MarkedRow[]>,
) {
  const { link, event } = ScanForm.parse(await readFormBody(c.req))
  try {
    const { eventId, message, people } = await markScanned(
      (await c.var.openRecords()).destination,
      link,
      event,
    )
    if (!isScript) return redirectWithFlash(c, registerPath(c, eventId), { notice: message })
    const rows =
      event === eventId && people.length > 0
        ? await renderRows(
            eventId,
            people.map(({ bookingId }) => bookingId),
          )
        : []
    return c.json({ message, rows, people: renderScannedPeople(c, eventId, people) })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { message, type } = error
    if (isScript) return c.json({ message }, statuses[type] as 400)
    const path = event === undefined ? dashboardPath(c, '/events') : registerPath(c, event)
    return redirectWithFlash(c, path, { notice: message })
  }
}
