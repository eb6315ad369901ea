import type { Child } from 'hono/jsx'

type NewSecretProps = { title: string; secret: string | undefined; children: Child }

/** Shows a new secret once, with an explanation. Renders an empty status region without one. */
export function NewSecret({ title, secret, children }: NewSecretProps) {
  return (
    <div role="status">
      {secret && (
        <article class="card">
          <h2>{title}</h2>
          <p>
            <strong>Copy it now: it will not be shown again.</strong> {children}
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
