import type { Child } from 'hono/jsx'
import { Form, type HiddenValues } from './form.tsx'

type ActionButtonProps = {
  action: string
  label: string
  /** What the button acts on: screen readers hear it after the label. */
  target?: string
  hidden?: HiddenValues
  /** The classes of the button; none in a menu. */
  class?: string | undefined
}

/** Renders a form that is only a button. */
export const ActionButton = ({
  action,
  label,
  target,
  hidden = {},
  class: className,
}: ActionButtonProps) => (
  <Form action={action} hidden={hidden}>
    <button type="submit" class={className} aria-label={target && `${label} ${target}`}>
      {label}
    </button>
  </Form>
)

type SaveButtonsProps = {
  /** Where *Cancel* leads; absent on a page that has nothing to go back to. */
  cancelPath?: string | undefined
  cancelLabel?: string
  /** The text of the button that sends the form. */
  label?: string
  /** Whether the form removes something. */
  isDangerous?: boolean
  /** Whether another button is the primary one of the page. */
  isSecondary?: boolean
  /** Buttons between the two. */
  children?: Child
}

/** Renders the buttons that send a form or leave it. */
export const SaveButtons = ({
  cancelPath,
  cancelLabel = 'Cancel',
  label = 'Save',
  isDangerous = false,
  isSecondary = false,
  children,
}: SaveButtonsProps) => (
  <div class="save">
    <button type="submit" class={isDangerous ? 'button danger' : mainClass(isSecondary)}>
      {label}
    </button>
    {children}
    {cancelPath !== undefined && (
      <a class="button plain" href={cancelPath}>
        {cancelLabel}
      </a>
    )}
  </div>
)

const mainClass = (isSecondary: boolean) => (isSecondary ? 'button' : 'button primary')

type ConfirmProps = {
  action: string
  hidden?: HiddenValues
  confirmLabel: string
  cancelPath: string
  cancelLabel?: string
  /** Whether the form takes something away. */
  isDangerous?: boolean
  /** What the action does, and any fields. */
  children?: Child
}

/** Renders a confirmation: an explanation, the confirm button and a cancel link. */
export const Confirm = ({
  action,
  hidden = {},
  confirmLabel,
  cancelPath,
  cancelLabel = 'Cancel',
  isDangerous = true,
  children,
}: ConfirmProps) => (
  <Form action={action} hidden={hidden}>
    {children}
    <div class="row after">
      <button type="submit" class={isDangerous ? 'button danger' : 'button primary'}>
        {confirmLabel}
      </button>
      <a class="button" href={cancelPath}>
        {cancelLabel}
      </a>
    </div>
  </Form>
)

/** Renders a button that prints the page. The script shows it. */
export const PrintButton = ({ isPrimary = false }: { isPrimary?: boolean }) => (
  <button type="button" class={isPrimary ? 'button primary' : 'button'} data-print hidden>
    Print
  </button>
)
