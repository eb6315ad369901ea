import type { Context } from 'hono'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { registerPath } from '../ui/paths.ts'
import { currentTab, tabQuery } from './tab.ts'

type MarkFormProps = {
  c: Context<DashboardEnv>
  eventId: string
  bookingId: string
  buttonsClass: string
  label: string
  came?: string
  buttons: readonly {
    name: string
    value: string
    text: string
    icon?: IconName
    isPressed?: boolean
  }[]
}

/** Renders buttons that mark a booking. The key makes a form safe to send twice. */
export function MarkForm({
  c,
  eventId,
  bookingId,
  buttonsClass,
  label,
  came,
  buttons,
}: MarkFormProps) {
  return (
    <Form
      action={`${registerPath(c, eventId)}/mark${tabQuery(currentTab(c))}`}
      hidden={{ booking: bookingId, key: crypto.randomUUID(), came }}
      attributes={{ 'data-mark-form': true }}
    >
      <fieldset class={buttonsClass} aria-label={label}>
        {buttons.map(({ name, value, text, icon, isPressed }) => (
          <button
            type="submit"
            class={isPressed === undefined ? 'button small' : undefined}
            name={name}
            value={value}
            aria-pressed={isPressed}
          >
            {icon && <Icon name={icon} />}
            {text}
          </button>
        ))}
      </fieldset>
    </Form>
  )
}
