import { formatRecordCount } from '../../model/collection.ts'
import { formatShortDay } from '../../model/dates.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { joinNames } from '../../platform/join-names.ts'
import type { OriginGaps } from './find-gaps.ts'
import type { KnownPeople } from './load-quality.ts'

/** The maximum number of origins of a kind, and of missing details of each, that the page shows. */
const [maxOrigins, maxGaps] = [10, 3]

/** Renders by which way people came recently, and which details they lack; nothing without any. */
export function GapsSection({ people }: { people: readonly KnownPeople[] }) {
  const [first] = people
  if (!first || people.every(({ added }) => added.origins?.length === 0)) return null
  return (
    <section class="section">
      <h2>
        Where gaps come from <small>people added since {formatShortDay(first.added.from)}</small>
      </h2>
      <ul class="stack left-out">
        {people.map((known) => (
          <OriginLines people={known} />
        ))}
      </ul>
    </section>
  )
}

function OriginLines({ people: { name, label, added } }: { people: KnownPeople }) {
  const { origins } = added
  if (!origins) return <li>Too many {label.toLowerCase()} to read where they came from.</li>
  const others = origins.length - maxOrigins
  return (
    <>
      {origins.slice(0, maxOrigins).map((origin) => (
        <OriginLine origin={origin} collection={name} />
      ))}
      {others > 0 && (
        <li class="quiet">
          {label} who came in {formatNumber(others)} further ways have fewer gaps.
        </li>
      )}
    </>
  )
}

type LineProps = { origin: OriginGaps; collection: string }

function OriginLine({ origin: { name, total, gaps, link }, collection }: LineProps) {
  return (
    <li>
      <span>
        {name}: {describeGaps(gaps, formatRecordCount(total, collection), total)}
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

/** "41 of 58 members without a date of birth and 12 without a postcode". */
function describeGaps(gaps: OriginGaps['gaps'], people: string, total: number): string {
  const [first, ...others] = gaps
  if (!first) return `complete, ${formatNumber(total)} of ${people}`
  const most = `${formatNumber(first.missing)} of ${people} without ${first.words}`
  const further = others
    .slice(0, maxGaps - 1)
    .map(({ missing, words }) => `${formatNumber(missing)} without ${words}`)
  return joinNames([most, ...further])
}
