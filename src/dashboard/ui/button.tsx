type ActionButtonProps = { action: string; label: string; target: string }

/** A button that posts to `action`; screen readers hear its label with the target's name. */
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

/** A link that looks like a button. Screen readers hear `longLabel` with the target's name. */
export function ActionLink({ href, label, target, longLabel = label }: ActionLinkProps) {
  return (
    <a class="button" href={href} aria-label={`${longLabel} ${target}`}>
      {label}
    </a>
  )
}
