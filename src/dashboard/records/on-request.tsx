import type { Context } from 'hono'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

/** What is done when somebody asks for what is kept of them: all of it as a file, and for administrators to erase them. */
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
      <h2>On request</h2>
      <p>All that is kept of this {singularLabel}, in every collection.</p>
      <div class="acts">
        <a class="button" href={`${path}/everything?$format=zip`} download>
          Download as a zip
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
