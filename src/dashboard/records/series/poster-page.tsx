import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { formatDay } from '../../../model/dates.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatVenue } from '../../../model/venue.ts'
import { QrCode } from '../../../public/ui/qr-code.tsx'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { PrintButton } from '../../ui/button.tsx'
import { PaperPage } from '../../ui/paper-page.tsx'
import { describePrice, describeRule, publicAddress } from '../record/series-layout.tsx'
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
    formatVenue(values.venue),
    describePrice(values),
  ]
  return c.html(
    <PaperPage
      title={`Poster of ${name}`}
      crumb={{ name, href: crumb.href }}
      controls={<PrintButton isPrimary />}
      class="poster"
    >
      <p>{c.var.membership?.organisation}</p>
      <h1>{name}</h1>
      {details.filter(Boolean).map((detail) => (
        <p>{detail}</p>
      ))}
      <QrCode text={address} label="QR code of the public page" />
      <p>{address.replace(/^https?:\/\//, '')}</p>
    </PaperPage>,
  )
}
