import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { MarkForm } from './mark-form.tsx'

/** Renders the form that marks bookings by their code: from the camera, a scanner, or as a pasted link. A link to `#scan` opens it. */
export function ScanForm({ c, eventId }: { c: Context<DashboardEnv>; eventId: string }) {
  return (
    <details class="fold scan">
      <summary>Scan booking codes</summary>
      <div id="scan">
        <p role="status" data-scan-status></p>
        <ul class="register" data-scanned></ul>
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
      </div>
      <script src="/assets/scan.js" defer />
    </details>
  )
}

/** Renders the people whom a code marked, each with a button that takes the mark back. */
export const renderScannedPeople = (
  c: Context<DashboardEnv>,
  eventId: string,
  people: readonly { bookingId: string; name: string }[],
): string =>
  people
    .map(({ bookingId, name }) =>
      (
        <li>
          <span>{name}</span>
          <MarkForm
            c={c}
            eventId={eventId}
            bookingId={bookingId}
            buttonsClass="row"
            label={`${name} came`}
            buttons={[{ name: 'came', value: 'null', text: 'Take back' }]}
          />
        </li>
      ).toString(),
    )
    .join('')
