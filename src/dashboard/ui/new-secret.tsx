import type { Child } from 'hono/jsx'

type NewSecretProps = { title: string; secret: string | undefined; children: Child }

/** A secret that was just made, shown this once, and what it is good for; nothing if none was. */
export function NewSecret({ title, secret, children }: NewSecretProps) {
  return (
    <div role="status">
      {secret && (
        <article class="card">
          <h2>{title}</h2>
          <p>
            <strong>Copy it now: it is not shown again.</strong> {children}
          </p>
          <code id="new-key" class="key">
            {secret}
          </code>
          <button type="button" data-copies="new-key" hidden>
            Copy
          </button>
        </article>
      )}
    </div>
  )
}
