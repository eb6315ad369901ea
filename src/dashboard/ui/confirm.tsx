import type { Child } from 'hono/jsx'

type ConfirmProps = {
  action: string
  confirmLabel: string
  cancelPath: string
  cancelLabel: string
  children: Child
}

/** Asks for confirmation: an explanation, the button that goes ahead, and a link that cancels. */
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
