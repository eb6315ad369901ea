import type { Context } from 'hono'
import type { ShownValues } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { recordPath } from '../../ui/paths.ts'
import { Value } from '../../ui/value.tsx'
import type { FindTitle } from './titles.ts'

type Props = { c: Context<DashboardEnv>; grants: readonly ShownValues[]; findTitle: FindTitle }

/** Renders the grant applications of a person. */
export function PersonGrants({ c, grants, findTitle }: Props) {
  return (
    <section class="section" id="grants">
      <h2>Grants</h2>
      <div class="scroll">
        <table>
          <caption class="visually-hidden">Grants</caption>
          <thead>
            <tr>
              <th scope="col">Fund</th>
              <th scope="col">Stage</th>
              <th scope="col" class="number">
                Awarded
              </th>
              <th scope="col" class="number">
                Paid
              </th>
            </tr>
          </thead>
          <tbody>
            {grants.map(({ applicationId, fundId, title, status, currency, ...amounts }) => (
              <tr>
                <th scope="row">
                  <a href={recordPath(c, 'grant-applications', String(applicationId))}>
                    {findTitle('funds', String(fundId))?.title ?? String(title || 'Application')}
                  </a>
                </th>
                <td>
                  <Value value={status} type="text" format="code" />
                </td>
                {[amounts.amountAwarded, amounts.amountDisbursed].map((amount) => (
                  <td class="number">
                    <Value
                      value={amount}
                      type="number"
                      format="money"
                      currency={String(currency)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
