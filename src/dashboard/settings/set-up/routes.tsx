import type { Context } from 'hono'
import { organisationSetUp } from '../../../admin/organisation/set-up.ts'
import { readFormBody } from '../../../http/body.ts'
import { Hono } from '../../../http/hono.ts'
import { ApiError } from '../../../model/api-error.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import { readTexts } from '../../ui/form-values.ts'
import { Notice, redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { dashboardPath } from '../../ui/paths.ts'
import { listTasks, MissingTasks, type SetUpTask } from './tasks.tsx'

/** The tasks outside the dashboard that are not done yet. */
export const routes = new Hono<DashboardEnv>()
  .get('/', async (c) => {
    const tasks = await readTasks(c)
    const marked = tasks.filter(({ isManual, isDone }) => isManual && isDone)
    return c.html(
      <Page c={c} title="Set-up" lead="What to set up outside the dashboard before others join.">
        <Notice message={takeFlash(c).notice} />
        <MissingTasks
          tasks={tasks}
          Action={({ task }) => task.isManual && <Mark c={c} task={task} />}
        />
        {marked.length > 0 && (
          <section class="section">
            <h2>Marked as done</h2>
            <ul class="stack mend">
              {marked.map((task) => (
                <li>
                  <p>{task.name}</p>
                  <Mark c={c} task={task} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </Page>,
    )
  })
  .post('/', async (c) => {
    const { task: id, done } = readTexts(['task', 'done'], await readFormBody(c.req))
    const task = (await readTasks(c)).find((it) => it.id === id && it.isManual)
    if (!task) throw new ApiError('BAD_REQUEST', 'This task does not exist.')
    const isDone = done === 'yes'
    await c.var.administer(organisationSetUp).mark(id, isDone)
    const notice = isDone
      ? `Marked as done: ${task.name}.`
      : `No longer marked as done: ${task.name}.`
    return redirectWithFlash(c, setUpTasksPath(c), { notice })
  })

async function readTasks(c: Context<DashboardEnv>): Promise<SetUpTask[]> {
  const marked = await c.var.administer(organisationSetUp).listDone()
  return listTasks({ env: c.env, url: c.req.url, hasMail: c.var.mail !== undefined, marked })
}

/** Renders the button that marks a task, or takes the mark back. */
const Mark = ({ c, task }: { c: Context<DashboardEnv>; task: SetUpTask }) => (
  <ActionButton
    action={setUpTasksPath(c)}
    hidden={{ task: task.id, done: task.isDone ? 'no' : 'yes' }}
    label={task.isDone ? 'Mark as not done' : 'Mark as done'}
    target={task.name}
    class="button plain"
  />
)

const setUpTasksPath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/set-up')
