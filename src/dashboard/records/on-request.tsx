import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { may } from '../may.ts'

/** What is done when somebody asks for what is kept of them: all of it as a file, and for administrators to erase them. */
export function OnRequest({
  c,
  path,
  one,
}: {
  c: Context<DashboardEnv>
  path: string
  one: string
}) {
  return (
    <section class="card">
      <h2>On request</h2>
      <p>All that is kept of this {one}, in every collection.</p>
      <div class="acts">
        <a class="button" href={`${path}/everything?$format=zip`} download>
          Download as a zip
        </a>
        <a class="button" href={`${path}/everything?$format=json`} download="everything.json">
          Download as JSON
        </a>
        {may(c, 'administer') && (
          <a class="button" href={`${path}/erase`}>
            Erase
          </a>
        )}
      </div>
    </section>
  )
}
