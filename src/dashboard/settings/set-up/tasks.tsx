import type { Child } from 'hono/jsx'
import { hasProvider } from '../../../auth/sign-in.ts'
import { isLoopback } from '../../../platform/loopback.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'

/** Something to set up outside the dashboard before others join. */
export type SetUpTask = {
  id: string
  name: string
  /** The purpose, or the consequence of its absence. */
  summary: string
  /** The word beside the name while it is not done. */
  state: string
  /** Whether it should be done before others join. */
  isNeeded: boolean
  /** Whether only an administrator can say that it is done. */
  isManual: boolean
  isDone: boolean
  /** For a technician. */
  command: string
  guide: string
}

const deploy = 'npm run deploy -- --env production'

/** What the service knows of its set-up. */
type Knowledge = {
  env: DashboardEnv['Bindings']
  /** The address of the request. */
  url: string
  hasMail: boolean
  /** The tasks that administrators have marked as done. */
  marked: readonly string[]
}

/** Lists the tasks, each with whether it is done. */
export function listTasks({ env, url, hasMail, marked }: Knowledge): SetUpTask[] {
  const { hostname } = new URL(url)
  const isTemporary = hostname.endsWith('.workers.dev') || isLoopback(hostname)
  const notSetUp = { state: 'Not set up', isManual: false }
  return [
    {
      ...notSetUp,
      id: 'sign-in',
      name: 'Sign-in',
      summary:
        'Without your Microsoft or Google accounts, everybody needs a code for each sign-in.',
      isNeeded: true,
      isDone: hasProvider(env),
      command: `AUTH_ISSUER=… AUTH_AUDIENCE=… AUTH_CLIENT_ID=… ${deploy}`,
      guide: 'docs/operating.md, “People’s tokens: the identity provider”',
    },
    {
      ...notSetUp,
      id: 'mail',
      name: 'E-mail',
      summary: 'Without a sender, no confirmations, reminders and messages are sent.',
      isNeeded: true,
      isDone: hasMail,
      command: `MAIL_FROM=… MAIL_API_URL=… MAIL_API_KEY=… ${deploy}`,
      guide: 'docs/public-pages.md, “Mail”',
    },
    {
      ...notSetUp,
      id: 'backups',
      name: 'Backups',
      summary:
        'The database can go back 30 days. A copy in a second place, and a rehearsed restore, protect against more.',
      isNeeded: true,
      isManual: true,
      isDone: marked.includes('backups'),
      command: 'npx wrangler d1 export records-production --remote … --output backup.sql',
      guide: 'docs/operating.md, “Backups, and a restore you have rehearsed”',
    },
    {
      ...notSetUp,
      id: 'alerts',
      name: 'Alerts',
      summary: 'They tell somebody when the service fails.',
      isNeeded: false,
      isManual: true,
      isDone: marked.includes('alerts'),
      command: 'alert_on route 1 …',
      guide: 'docs/operating.md, “Five alerts”',
    },
    {
      ...notSetUp,
      id: 'address',
      name: 'Web address',
      summary: `${hostname} works for now.`,
      state: 'Temporary',
      isNeeded: false,
      isDone: !isTemporary,
      command: `routes = [{ pattern = "data.example.org", custom_domain = true }] in wrangler.toml, then ${deploy}`,
      guide: 'docs/operating.md, “Use your domain”',
    },
  ]
}

type TasksProps = {
  tasks: readonly SetUpTask[]
  /** Renders a further button of a task. */
  Action?: (props: { task: SetUpTask }) => Child
}

/** Renders the tasks that are not done, with the steps of each for a technician. */
export function MissingTasks({ tasks, Action }: TasksProps) {
  const missing = tasks.filter(({ isDone }) => !isDone)
  if (missing.length === 0) return <p class="notice good">Everything is set up.</p>
  const needed = missing.filter(({ isNeeded }) => isNeeded).length
  return (
    <section class="section todo">
      <h2>
        Not set up yet{' '}
        {needed > 0 && (
          <small>
            {needed} of {missing.length} should be done before others join
          </small>
        )}
      </h2>
      <ul class="stack mend">
        {missing.map((task) => (
          <li>
            <div>
              <p>
                <strong>{task.name}</strong>{' '}
                <span class={task.isNeeded ? 'tag warn' : 'tag'}>{task.state}</span>
              </p>
              <p class="quiet">{task.summary}</p>
            </div>
            <div class="row">
              {Action && <Action task={task} />}
              <a class="button" href={mailTo(task)}>
                Send steps to a technician
                <span class="visually-hidden">: {task.name}</span>
              </a>
            </div>
          </li>
        ))}
      </ul>
      <details class="fold" data-for="engineers">
        <summary>Commands, for a technician</summary>
        <dl class="facts">
          {missing.map(({ name, command, guide }) => (
            <div>
              <dt>{name}</dt>
              <dd>
                <code>{command}</code>
                <p class="quiet">{guide}</p>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

/** A message with the steps of a task, for the administrator's own mail program. */
function mailTo({ name, summary, command, guide }: SetUpTask): string {
  const body = [`${name}: ${summary}`, `Guide: ${guide}`, `Command: ${command}`].join('\n\n')
  return `mailto:?subject=${encodeURIComponent(`To set up: ${name}`)}&body=${encodeURIComponent(body)}`
}
