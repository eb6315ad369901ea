import type { Child } from 'hono/jsx'

type ConfirmProps = {
  action: string
  confirmLabel: string
  cancelPath: string
  cancelLabel: string
  children: Child
}

/** Asks before something that cannot be undone: what it does, the button that does it, and the way back. */
export function Confirm({ action, confirmLabel, cancelPath, cancelLabel, children }: ConfirmProps) {
  return (
    <section>
      <form method="post" action={action}>
        {children}
        <div class="acts">
          <button type="submit" class="danger">
            {confirmLabel}
          </button>
          <a class="button" href={cancelPath}>
            {cancelLabel}
          </a>
        </div>
      </form>
    </section>
  )
}
