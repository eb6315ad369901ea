import { formatShortDay } from '../../model/dates.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinNames } from '../../platform/join-names.ts'
import type { OriginGaps } from './find-gaps.ts'
import type { KnownPeople } from './load-quality.ts'

/** The maximum number of origins, and of missing details of each, that the page shows. */
const [maxOrigins, maxGaps] = [10, 3]

/** Renders by which way people came recently, and which details they lack; nothing without any. */
export function GapsSection({ people: { label, added } }: { people: KnownPeople }) {
  const { from, origins } = added
  const noun = label.toLowerCase()
  if (origins?.length === 0) return null
  return (
    <section class="section">
      <h2>
        Where gaps come from{' '}
        <small>
          {noun} added since {formatShortDay(from)}
        </small>
      </h2>
      {origins === undefined ? (
        <p>Too many {noun} were added to read where they came from.</p>
      ) : (
        <ul class="stack left-out">
          {origins.slice(0, maxOrigins).map((origin) => (
            <OriginLine origin={origin} />
          ))}
        </ul>
      )}
      {origins && origins.length > maxOrigins && (
        <p class="quiet after">{formatNumber(origins.length - maxOrigins)} more with fewer gaps.</p>
      )}
    </section>
  )
}

function OriginLine({ origin: { name, total, gaps, link } }: { origin: OriginGaps }) {
  return (
    <li>
      <span>
        {name}: {describeGaps(gaps, total)}
      </span>
      {link && (
        <a href={link.href}>
          {link.text}
          <span class="visually-hidden">: {name}</span>
        </a>
      )}
    </li>
  )
}

/** "41 of 58 without a date of birth, 12 without a postcode". */
function describeGaps(gaps: OriginGaps['gaps'], total: number): string {
  const [first, ...others] = gaps
  const all = formatNumber(total)
  if (!first) return `complete, ${all} of ${all}`
  const most = `${formatNumber(first.missing)} of ${all} without ${first.words}`
  const further = others
    .slice(0, maxGaps - 1)
    .map(({ missing, words }) => `${formatNumber(missing)} without ${words}`)
  return joinNames([most, ...further])
}
