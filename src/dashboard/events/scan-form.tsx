import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { dashboardPath } from '../ui/paths.ts'

/** Renders the form that marks a booking by its code: from the camera, a scanner, or as a pasted link. */
export function ScanForm({ c, eventId }: { c: Context<DashboardEnv>; eventId: string }) {
  return (
    <details class="fold scan">
      <summary>Scan booking codes</summary>
      <p role="status" data-scan-status></p>
      <video data-video hidden muted playsinline></video>
      <button type="button" class="button" data-camera hidden>
        Use the camera
      </button>
      <Form
        action={dashboardPath(c, '/events/scan')}
        hidden={{ event: eventId }}
        class="create"
        attributes={{ 'data-scan': true }}
      >
        <label>
          <span class="label">Link of a booking</span>
          <input name="link" required autocomplete="off" maxlength={2000} />
        </label>
        <button type="submit" class="button">
          Mark
        </button>
      </Form>
      <script src="/assets/scan.js" defer />
    </details>
  )
}
