import type { Child } from 'hono/jsx'

type ConfirmProps = { action: string; act: string; back: string; keep: string; children: Child }

/** Asks before something that cannot be undone: what it does, the button that does it, and the way back. */
export function Confirm({ action, act, back, keep, children }: ConfirmProps) {
  return (
    <section>
      <form method="post" action={action}>
        {children}
        <div class="acts">
          <button type="submit" class="danger">
            {act}
          </button>
          <a class="button" href={back}>
            {keep}
          </a>
        </div>
      </form>
    </section>
  )
}
