/** The symbols in `public/assets/icons.svg`. */
export type IconName =
  | 'account'
  | 'alert'
  | 'asc'
  | 'check'
  | 'close'
  | 'columns'
  | 'connect'
  | 'desc'
  | 'dots'
  | 'down'
  | 'events'
  | 'filter'
  | 'forms'
  | 'grants'
  | 'import'
  | 'lock'
  | 'logo'
  | 'more'
  | 'next'
  | 'notes'
  | 'people'
  | 'phone'
  | 'plus'
  | 'prev'
  | 'reports'
  | 'right'
  | 'scan'
  | 'search'
  | 'settings'

/** Renders an icon that screen readers skip: a word beside it, or a label, says the same. */
export function Icon({ name, class: className = 'icon' }: { name: IconName; class?: string }) {
  return (
    <svg class={className} aria-hidden="true">
      <use href={`/assets/icons.svg#${name}`} />
    </svg>
  )
}
