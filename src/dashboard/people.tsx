import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { roles } from '../auth/memberships.ts'
import type { OrganisationPeople } from '../auth/organisation-people.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { formFields } from '../http/body.ts'
import { ApiError, statuses } from '../model/api-error.ts'
import { AuditTable } from './keys.tsx'
import { Page, pathOf, Wide } from './page.tsx'

const email = z.string().trim().catch('')
const AddForm = z.object({ email, role: z.enum(roles).catch('reader') })
const ChangeForm = z.object({ email, role: z.enum(roles) })

/** Settings > People: who may use the organisation's data, and in which role. */
export const peoplePages = new Hono<DashboardEnv>()
  .get('/', (c) => peoplePage(c))
  .post('/', async (c) => {
    const { email, role } = AddForm.parse(await formFields(c.req))
    return done(c, () => c.var.people.add(email, role), email)
  })
  .post('/role', async (c) => {
    const form = ChangeForm.safeParse(await formFields(c.req))
    if (!form.success)
      throw new ApiError('BAD_REQUEST', `Role: must be one of ${roles.join(', ')}.`)
    const { email, role } = form.data
    return done(c, () => c.var.people.change(email, role))
  })
  .post('/remove', async (c) => {
    const { email } = AddForm.parse(await formFields(c.req))
    return done(c, () => c.var.people.remove(email))
  })

/** Goes back to the list once an act is done, or says there why it was not. */
async function done(c: Context<DashboardEnv>, act: () => Promise<void>, typed?: string) {
  try {
    await act()
  } catch (error) {
    if (error instanceof ApiError) return peoplePage(c, error, typed)
    throw error
  }
  return c.redirect(pathOfPeople(c), 303)
}

async function peoplePage(c: Context<DashboardEnv>, fault?: ApiError, typed = '') {
  const [people, acts] = await Promise.all([c.var.people.list(), c.var.people.audit()])
  const path = pathOfPeople(c)
  return c.html(
    <Page c={c} title="People">
      {fault && <p role="alert">{fault.message}</p>}
      <section>
        <h2>People</h2>
        <PeopleTable path={path} people={people} />
      </section>
      <section>
        <h2>Add a person</h2>
        <form method="post" action={path}>
          <label>
            E-mail address
            <input
              type="email"
              name="email"
              required
              maxlength={254}
              value={typed}
              autocomplete="off"
              aria-describedby="email-help"
            />
          </label>
          <small id="email-help">
            They sign in with this address, and need no invitation to do so.
          </small>
          <label for="role">Role</label>
          <Roles selected="reader" named={{ id: 'role' }} />
          <button type="submit">Add</button>
        </form>
        <p>
          A reader sees the records. An editor also creates, changes and deletes them. An
          administrator also manages keys and people.
        </p>
      </section>
      <section>
        <h2>What was done</h2>
        <AuditTable acts={acts} />
      </section>
    </Page>,
    fault ? (statuses[fault.type] as 400) : 200,
  )
}

type Person = Awaited<ReturnType<OrganisationPeople['list']>>[number]

function PeopleTable({ path, people }: { path: string; people: Person[] }) {
  return (
    <Wide label="People">
      <table>
        <thead>
          <tr>
            {['E-mail address', 'Has signed in', 'Role', 'Change'].map((heading) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map(({ email, bound, role }) => (
            <tr>
              <th scope="row">{email}</th>
              <td>{bound ? 'yes' : 'not yet'}</td>
              <td>
                <form method="post" action={`${path}/role`}>
                  <input type="hidden" name="email" value={email} />
                  <Roles selected={role} named={{ 'aria-label': `Role of ${email}` }} />
                  <button type="submit" aria-label={`Save the role of ${email}`}>
                    Save
                  </button>
                </form>
              </td>
              <td>
                <form method="post" action={`${path}/remove`}>
                  <input type="hidden" name="email" value={email} />
                  <button type="submit" aria-label={`Remove ${email}`}>
                    Remove
                  </button>
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

function Roles({ selected, named }: { selected: string; named: Record<string, string> }) {
  return (
    <select name="role" {...named}>
      {roles.map((role) => (
        <option value={role} selected={role === selected}>
          {role === 'admin' ? 'administrator' : role}
        </option>
      ))}
    </select>
  )
}

const pathOfPeople = (c: Context<DashboardEnv>) =>
  `${pathOf(c.var.membership?.organisationId ?? '')}/settings/people`
