import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { formatDay } from '../../../model/dates.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { QrCode } from '../../../public/ui/qr-code.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { HtmlDocument, SkipLink } from '../../ui/document.tsx'
import { describePrice, describeRule, listVenue, publicAddress } from '../record/series-layout.tsx'
import { openSeries } from './open-series.ts'

/** Renders a poster of a series for paper, with the QR code of its public page. */
export async function renderPoster(c: Context<DashboardEnv>, id: string) {
  const { name, crumb, record, series } = await openSeries(c, id)
  const { values } = record
  const [next] = series.coming
  if (series.publicPath === undefined)
    throw new ApiError('NOT_FOUND', 'The series has no public page.')
  const address = publicAddress(c, series.publicPath)
  const details = [
    describeRule(values),
    next && `Next on ${formatDay(londonDay(next.start))}`,
    listVenue(values).join(', '),
    describePrice(values),
  ]
  return c.html(
    <HtmlDocument title={`Poster of ${name}`}>
      <body class="for-print">
        <link rel="stylesheet" href="/assets/sheet.css" />
        <SkipLink />
        <header class="sheet-bar">
          <nav aria-label="Breadcrumb">
            <ol class="crumbs">
              <li>
                <a href={crumb.href}>{name}</a>
              </li>
            </ol>
          </nav>
          <button type="button" class="button primary" data-print hidden>
            Print
          </button>
        </header>
        <main class="sheet poster" id="main">
          <p>{c.var.membership?.organisation}</p>
          <h1>{name}</h1>
          {details.filter(Boolean).map((detail) => (
            <p>{detail}</p>
          ))}
          <QrCode text={address} label="QR code of the public page" />
          <p>{address.replace(/^https?:\/\//, '')}</p>
        </main>
      </body>
    </HtmlDocument>,
  )
}
