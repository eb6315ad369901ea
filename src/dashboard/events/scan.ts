import type { Context } from 'hono'
import * as z from 'zod'
import { readFormBody } from '../../http/body.ts'
import { ApiError, statuses } from '../../model/api-error.ts'
import { markScanned } from '../../sign-up/register/scan.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { dashboardPath, registerPath } from '../ui/paths.ts'

const ScanForm = z.object({
  link: z.string().max(2000).catch(''),
  event: z.string().max(255).optional(),
})

/**
 * Marks the booking of a scanned link. Returns a message, and the row from `renderRow`, to the script;
 * redirects other browsers to the register.
 */
export async function saveScan(
  c: Context<DashboardEnv>,
  isScript: boolean,
  renderRow: (eventId: string, bookingId: string) => Promise<string>,
) {
  const { link, event } = ScanForm.parse(await readFormBody(c.req))
  try {
    const { bookingId, eventId, message } = await markScanned(
      (await c.var.openRecords()).destination,
      link,
      event,
    )
    if (!isScript) return redirectWithFlash(c, registerPath(c, eventId), { notice: message })
    const row = event === eventId ? await renderRow(eventId, bookingId) : undefined
    return c.json({ message, booking: bookingId, row })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { message, type } = error
    if (isScript) return c.json({ message }, statuses[type] as 400)
    const path = event === undefined ? dashboardPath(c, '/events') : registerPath(c, event)
    return redirectWithFlash(c, path, { notice: message })
  }
}
