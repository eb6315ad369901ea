import type { Child } from 'hono/jsx'

type ActionButtonProps = { action: string; label: string; target: string }

/** Renders a button that posts to `action`. Screen readers hear its label with the target's name. */
export function ActionButton({ action, label, target }: ActionButtonProps) {
  return (
    <form method="post" action={action}>
      <button type="submit" class="button plain" aria-label={`${label} ${target}`}>
        {label}
      </button>
    </form>
  )
}

type SaveButtonsProps = {
  cancelPath: string
  /** The text of the button that sends the form. */
  label?: string
  /** Whether the form removes something for good. */
  isDangerous?: boolean
  /** Buttons between the two. */
  children?: Child
}

/** Renders the buttons that send a form or leave it. */
export function SaveButtons({
  cancelPath,
  label = 'Save',
  isDangerous = false,
  children,
}: SaveButtonsProps) {
  return (
    <div class="save">
      <button type="submit" class={isDangerous ? 'button danger' : 'button primary'}>
        {label}
      </button>
      {children}
      <a class="button plain" href={cancelPath}>
        Cancel
      </a>
    </div>
  )
}

type ConfirmProps = {
  action: string
  confirmLabel: string
  cancelPath: string
  cancelLabel: string
  /** Whether the form takes something away. */
  isDangerous?: boolean
  children: Child
}

/** Renders a confirmation: an explanation, the confirm button and a cancel link. */
export function Confirm({
  action,
  confirmLabel,
  cancelPath,
  cancelLabel,
  isDangerous = true,
  children,
}: ConfirmProps) {
  return (
    <form method="post" action={action}>
      {children}
      <div class="row after">
        <button type="submit" class={isDangerous ? 'button danger' : 'button primary'}>
          {confirmLabel}
        </button>
        <a class="button" href={cancelPath}>
          {cancelLabel}
        </a>
      </div>
    </form>
  )
}
