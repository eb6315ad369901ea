import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { roles } from '../auth/memberships.ts'
import type { OrganisationPeople } from '../auth/organisation-people.ts'
import type { DashboardEnv } from '../auth/signed-in.ts'
import { formFields } from '../http/body.ts'
import { ApiError, statuses } from '../model/api-error.ts'
import { flashOf, redirectTelling } from './flash.ts'
import { Page, pathIn, Wide } from './page.tsx'
import { Confirm } from './parts/confirm.tsx'
import { Field } from './parts/field.tsx'
import { Headings } from './parts/headings.tsx'
import { Said } from './parts/said.tsx'
import { WhatWasDone } from './what-was-done.tsx'

const email = z.string().trim().catch('')
const AddForm = z.object({ email, role: z.enum(roles).catch('reader') })
const ChangeForm = z.object({ email, role: z.enum(roles) })

/** Settings, People: who may use the organisation's data, and in which role. */
export const peoplePages = new Hono<DashboardEnv>()
  .get('/', (c) => peoplePage(c))
  .post('/', async (c) => {
    const added = AddForm.parse(await formFields(c.req))
    const { email, role } = added
    return done(c, () => c.var.people.add(email, role), `${email} is added.`, added)
  })
  .post('/role', async (c) => {
    const form = ChangeForm.safeParse(await formFields(c.req))
    if (!form.success)
      throw new ApiError('BAD_REQUEST', `Role: must be one of ${roles.join(', ')}.`)
    const { email, role } = form.data
    return done(c, () => c.var.people.change(email, role), `The role of ${email} is changed.`)
  })
  // Posted, so that the address of a person is in no address of a page.
  .post('/remove/confirm', async (c) => {
    const { email } = AddForm.parse(await formFields(c.req))
    return c.html(<ConfirmRemove c={c} email={email} />)
  })
  .post('/remove', async (c) => {
    const { email } = AddForm.parse(await formFields(c.req))
    return done(c, () => c.var.people.remove(email), `${email} is removed.`)
  })

type Added = z.infer<typeof AddForm>

/** Goes back to the list once an act is done, or says there why it was not: of somebody who was to be added, at the form. */
async function done(
  c: Context<DashboardEnv>,
  act: () => Promise<void>,
  notice: string,
  added?: Added,
) {
  try {
    await act()
  } catch (error) {
    if (error instanceof ApiError) return peoplePage(c, error, added)
    throw error
  }
  return redirectTelling(c, pathOfPeople(c), { notice })
}

async function peoplePage(c: Context<DashboardEnv>, fault?: ApiError, added?: Added) {
  const [people, acts] = await Promise.all([c.var.people.list(), c.var.people.audit()])
  const path = pathOfPeople(c)
  return c.html(
    <Page c={c} title="People">
      <Said notice={flashOf(c).notice} />
      {fault && !added && <p role="alert">{fault.message}</p>}
      <section>
        <h2>People</h2>
        <PeopleTable path={path} people={people} />
      </section>
      <section>
        <h2>Add a person</h2>
        {fault && added && <p role="alert">Nobody was added: see what is marked below.</p>}
        <AddPerson path={path} fault={added && fault?.message} {...added} />
      </section>
      <WhatWasDone acts={acts} />
    </Page>,
    fault ? (statuses[fault.type] as 400) : 200,
  )
}

type AddProps = Partial<Added> & { path: string; fault: string | undefined }

function AddPerson({ path, fault, email, role = 'reader' }: AddProps) {
  return (
    <form method="post" action={path}>
      <Field
        label="E-mail address"
        name="email"
        help="They sign in with this address, and need no invitation to do so."
        fault={fault}
      >
        {(tied) => (
          <input {...tied} type="email" required maxlength={254} value={email} autocomplete="off" />
        )}
      </Field>
      <Field
        label="Role"
        name="role"
        help="A reader sees the records. An editor also creates, changes and deletes them. An administrator also manages keys and people."
      >
        {(tied) => <Roles selected={role} named={tied} />}
      </Field>
      <button type="submit">Add</button>
    </form>
  )
}

type Person = Awaited<ReturnType<OrganisationPeople['list']>>[number]

function PeopleTable({ path, people }: { path: string; people: Person[] }) {
  return (
    <Wide label="People" stack>
      <table>
        <Headings of={['E-mail address', 'Has signed in', 'Role', 'Change']} />
        <tbody>
          {people.map(({ email, bound, role }) => (
            <tr>
              <th scope="row">{email}</th>
              <td data-label="Has signed in">{bound ? 'yes' : 'not yet'}</td>
              <td>
                <form method="post" action={`${path}/role`}>
                  <input type="hidden" name="email" value={email} />
                  <Roles
                    selected={role}
                    named={{ name: 'role', 'aria-label': `Role of ${email}` }}
                  />
                  <button type="submit" aria-label={`Save the role of ${email}`}>
                    Save
                  </button>
                </form>
              </td>
              <td>
                <form method="post" action={`${path}/remove/confirm`}>
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
    <select {...named}>
      {roles.map((role) => (
        <option value={role} selected={role === selected}>
          {role === 'admin' ? 'administrator' : role}
        </option>
      ))}
    </select>
  )
}

/** Asks before a person is shut out, which holds from their next request on. */
function ConfirmRemove({ c, email }: { c: Context<DashboardEnv>; email: string }) {
  const path = pathOfPeople(c)
  return (
    <Page c={c} title="Remove a person">
      <Confirm
        action={`${path}/remove`}
        act="Remove this person"
        back={path}
        keep="Leave them as they are"
      >
        <input type="hidden" name="email" value={email} />
        <p>
          Remove <strong>{email}</strong>? They are shut out from their next request on. You can add
          them again later.
        </p>
      </Confirm>
    </Page>
  )
}

const pathOfPeople = (c: Context<DashboardEnv>) => pathIn(c, '/settings/people')
