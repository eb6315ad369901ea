type ActProps = { action: string; label: string; name: string }

/** A button that does something to what is called `name`. */
export function Act({ action, label, name }: ActProps) {
  return (
    <form method="post" action={action}>
      <button type="submit" aria-label={`${label} ${name}`}>
        {label}
      </button>
    </form>
  )
}

type AskProps = { href: string; label: string; name: string; says?: string }

/** Leads to the page that asks what is meant to be done to what is called `name`, or whether it is; `says` is the label in full. */
export function Ask({ href, label, name, says = label }: AskProps) {
  return (
    <a class="button" href={href} aria-label={`${says} ${name}`}>
      {label}
    </a>
  )
}
