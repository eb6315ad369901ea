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
