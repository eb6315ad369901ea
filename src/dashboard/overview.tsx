import type { Context } from 'hono'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { collectionNames } from '../model/collection-names.ts'
import type { Overview } from '../store/overview.ts'
import { BarChart } from './bar-chart.tsx'
import { Page, Time, Wide } from './page.tsx'

/** What an organisation has, in numbers and pictures, for all its users. */
export async function overviewPage(c: Context<DashboardEnv>) {
  const { collections, members, grants, imports } = await c.var.overview(collectionNames)
  return c.html(
    <Page c={c} title="Overview">
      <section>
        <h2>Records</h2>
        <Wide label="Records by collection" narrow>
          <table>
            <thead>
              <tr>
                <th scope="col">Collection</th>
                <th scope="col" class="number">
                  Records
                </th>
              </tr>
            </thead>
            <tbody>
              {collections.map(({ collection, total }) => (
                <tr>
                  <th scope="row">{words(collection)}</th>
                  <td class="number">{total.toLocaleString('en-GB')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      </section>
      <section>
        <h2>Members over time</h2>
        <Chart
          id="members-chart"
          title="Members at the end of each month with an import"
          bars={members.map(({ month, total }) => ({ label: monthName(month), value: total }))}
          none="No members have been imported yet."
        />
      </section>
      <section>
        <h2>Grants by status</h2>
        <Chart
          id="grants-chart"
          title="Grant applications by status"
          bars={grants.map(({ status, count }) => ({ label: words(status), value: count }))}
          none="There are no grant applications yet."
        />
      </section>
      <section>
        <h2>Last imports</h2>
        <Imports imports={imports} />
      </section>
    </Page>,
  )
}

function Chart({ none, ...chart }: Parameters<typeof BarChart>[0] & { none: string }) {
  return chart.bars.length === 0 ? <p>{none}</p> : <BarChart {...chart} />
}

function Imports({ imports }: Pick<Overview, 'imports'>) {
  if (imports.length === 0) return <p>Nothing has been imported yet.</p>
  return (
    <Wide label="Last imports">
      <table>
        <thead>
          <tr>
            <th scope="col">When (UTC)</th>
            <th scope="col">Collection</th>
            <th scope="col" class="number">
              Records
            </th>
          </tr>
        </thead>
        <tbody>
          {imports.map(({ at, collection, records }) => (
            <tr>
              <td>
                <Time at={at} />
              </td>
              <td>{words(collection)}</td>
              <td class="number">{records.toLocaleString('en-GB')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

const monthName = (month: string) =>
  new Date(`${month}-01`).toLocaleDateString('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

const words = (segment: string) =>
  segment.charAt(0).toUpperCase() + segment.slice(1).replaceAll(/[-_]/g, ' ')
