import type { Context } from 'hono'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** Links for a person's rights: downloads of all their data and, for administrators, erasure. */
export function PersonalDataCard({
  c,
  path,
  singularLabel,
}: {
  c: Context<DashboardEnv>
  path: string
  singularLabel: string
}) {
  return (
    <section class="card">
      <h2>Personal data</h2>
      <p>Everything about this {singularLabel}, from all collections.</p>
      <div class="acts">
        <a class="button" href={`${path}/everything?$format=zip`} download>
          Download as zip
        </a>
        <a class="button" href={`${path}/everything?$format=json`} download="everything.json">
          Download as JSON
        </a>
        {can(c, 'administer') && (
          <a class="button" href={`${path}/erase`}>
            Erase
          </a>
        )}
      </div>
    </section>
  )
}
