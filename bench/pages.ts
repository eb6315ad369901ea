import { ourRequest, type Servers, withoutMemory } from './against-floor.ts'
import { dashboardHeaders } from './cold-starts.ts'
import type { MeasuredOrganisation } from './fixture.ts'
import { measureInTurn } from './load.ts'
import { cpuRatio, type Line } from './report.ts'

const maxRatio = 1.4

/** The dashboard's list pages, with the API's request for the same records in the same order. */
const pages = [
  { page: 'events', query: '$orderby=start desc' },
  { page: 'bookings', query: '$orderby=date desc' },
  { page: 'members', query: '$orderby="First name"' },
]

/** Compares the dashboard's list pages with the API's lists of the same records. Needs a session (`addSession`). */
export async function measurePages(
  servers: Servers,
  { id }: MeasuredOrganisation,
  rounds: number,
): Promise<Line[]> {
  const { url, pid } = servers
  const { origin } = new URL(url)
  const lines: Line[] = []
  for (const { page, query } of pages) {
    const api = withoutMemory(
      ourRequest(servers, `/${page}?limit=25&$count=true&${encodeURI(query)}`),
    )
    const path = `/dashboard/${id}/records/${page}`
    const repeated = { url: origin + path, pid, headers: dashboardHeaders }
    const loads = await measureInTurn(
      { first: withoutMemory(repeated), repeated, api },
      rounds,
      400,
    )
    const measure = `dashboard page of ${page}`
    lines.push(
      cpuRatio(`${measure}, first request / API`, loads.first, loads.api, maxRatio),
      cpuRatio(`${measure}, repeated / API's first`, loads.repeated, loads.api, maxRatio),
    )
  }
  return lines
}
