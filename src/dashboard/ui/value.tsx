import { raw } from 'hono/html'
import { formatShortDay, formatShortMoment } from '../../model/dates.ts'
import { escapeHtml } from '../../platform/escape-html.ts'
import { formatCount } from '../../platform/pluralise.ts'
import { type DisplayedProperty, formatValue } from './format-value.ts'
import { valueKinds } from './value-kinds.ts'

type TimeProps = { value: string | null; type?: 'time' | 'date' }

/** Renders a date, or a time in UK time. Shows an invalid value unchanged, and a dash for null. */
export function Time({ value, type = 'time' }: TimeProps) {
  if (value === null) return <>–</>
  return (
    <time datetime={value}>
      {type === 'time' ? formatShortMoment(value) : formatShortDay(value)}
    </time>
  )
}

type ValueProps = DisplayedProperty & {
  value: unknown
  /** The currency of an amount; by default pounds. */
  currency?: string | undefined
}

/** Renders a value in words: dates, amounts, lists as tags, a colour as a swatch, and a dash for an empty value. */
export const Value = ({ value, currency, ...property }: ValueProps) =>
  raw(valueHtml(value, property, currency))

/** Whether cells of a property are aligned to the right: numbers and amounts. */
export const isNumeric = ({ type }: DisplayedProperty) => valueKinds[type].isRight === true

/**
 * A value in words as HTML: lists as tags, a colour as a swatch, and a dash for an empty value. A
 * list has hundreds of values, and elements would take several times longer than texts.
 */
export function valueHtml(value: unknown, property: DisplayedProperty, currency?: string): string {
  if (isEmpty(value)) return '<span class="quiet">–</span>'
  if (Array.isArray(value)) return listHtml(value, property)
  const text = escapeHtml(formatValue(value, property, currency))
  if (property.format === 'colour' && /^#[\da-f]{3,8}$/i.test(text)) return swatchHtml(text)
  return typeof value === 'object' ? `<code>${text}</code>` : text
}

// An SVG, because the Content-Security-Policy forbids inline styles.
const swatchHtml = (colour: string) =>
  `<svg class="swatch" viewBox="0 0 16 16" role="img" aria-label="Colour ${colour}"><rect width="16" height="16" rx="4" fill="${colour}"/></svg>`

function listHtml(values: readonly unknown[], property: DisplayedProperty): string {
  if (values.some((value) => typeof value === 'object')) {
    const json = escapeHtml(JSON.stringify(values, null, 2))
    return `<details><summary>${formatCount(values.length, 'entry', 'entries')}</summary><pre>${json}</pre></details>`
  }
  return values
    .map((value) => `<span class="tag">${escapeHtml(formatValue(value, property))}</span>`)
    .join(' ')
}

/** Whether a value is missing, an empty text or an empty list. */
export const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
