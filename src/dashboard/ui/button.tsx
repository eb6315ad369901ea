type ActionButtonProps = { action: string; label: string; target: string }

/** A button that does something to what is called `name`. */
export function ActionButton({ action, label, target }: ActionButtonProps) {
  return (
    <form method="post" action={action}>
      <button type="submit" aria-label={`${label} ${target}`}>
        {label}
      </button>
    </form>
  )
}

type ActionLinkProps = { href: string; label: string; target: string; longLabel?: string }

/** Leads to the page that asks what is meant to be done to what is called `name`, or whether it is; `says` is the label in full. */
export function ActionLink({ href, label, target, longLabel = label }: ActionLinkProps) {
  return (
    <a class="button" href={href} aria-label={`${longLabel} ${target}`}>
      {label}
    </a>
  )
}
