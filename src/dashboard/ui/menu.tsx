import type { Child } from 'hono/jsx'
import { Icon } from './icon.tsx'

type MenuProps = {
  /** The button's text. The menu of rare actions has three dots instead, and this as its label. */
  label: string
  isRare?: boolean
  /** `plain` in rows and toolbars. */
  class?: string
  /** List items with links, or with forms of one button. */
  children: Child
}

/** Renders a button that opens a list of actions, without a script. */
export function Menu({ label, isRare = false, class: className = '', children }: MenuProps) {
  return (
    <details class="menu">
      {isRare ? (
        <summary class={`button square ${className}`} aria-label={label}>
          <Icon name="dots" />
        </summary>
      ) : (
        <summary class={`button ${className}`}>
          {label}
          <Icon name="down" />
        </summary>
      )}
      <ul class="panel">{children}</ul>
    </details>
  )
}
