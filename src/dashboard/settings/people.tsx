import type { Context } from 'hono'
import * as z from 'zod'
import { roles, roleTable } from '../../access/roles.ts'
import { organisationPeople } from '../../admin/organisation/people.ts'
import { hasProvider } from '../../auth/sign-in.ts'
import { readFormBody } from '../../http/body.ts'
import { Hono } from '../../http/hono.ts'
import { ApiError, statuses } from '../../model/api-error.ts'
import type { User } from '../../store/settings/memberships.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { ActionButton, Confirm } from '../ui/button.tsx'
import { Select } from '../ui/controls.tsx'
import type { FormField } from '../ui/fields.tsx'
import { RowForm } from '../ui/fields-form.tsx'
import { Form } from '../ui/form.tsx'
import { Notice, redirectWithFlash, takeFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { dashboardPath } from '../ui/paths.ts'
import { DataTable } from '../ui/table.tsx'

const email = z.string().trim().catch('')
const AddForm = z.object({ email, role: z.enum(roles).catch('reader') })
const ChangeForm = z.object({ email, role: z.enum(roles) })

/** The settings of an organisation's users and their roles. */
export const routes = new Hono<DashboardEnv>()
  .get('/', (c) => renderPeoplePage(c))
  .post('/', async (c) => {
    const values = AddForm.parse(await readFormBody(c.req))
    const { email, role } = values
    return runAction(
      c,
      () => c.var.administer(organisationPeople).add(email, role),
      `${email} was added.`,
      values,
    )
  })
  .post('/role', async (c) => {
    const form = ChangeForm.safeParse(await readFormBody(c.req))
    if (!form.success)
      throw new ApiError('BAD_REQUEST', `Role must be one of: ${roles.join(', ')}.`)
    const { email, role } = form.data
    return runAction(
      c,
      () => c.var.administer(organisationPeople).change(email, role),
      `The role of ${email} was changed.`,
    )
  })
  .post('/sign-out', async (c) => {
    const { email } = AddForm.parse(await readFormBody(c.req))
    return runAction(
      c,
      () => c.var.administer(organisationPeople).signOut(email),
      `${email} was signed out of every browser.`,
    )
  })
  // POST keeps the email address out of the URL.
  .post('/remove/confirm', async (c) => {
    const { email } = AddForm.parse(await readFormBody(c.req))
    return c.html(<ConfirmRemove c={c} email={email} />)
  })
  .post('/remove', async (c) => {
    const { email } = AddForm.parse(await readFormBody(c.req))
    return runAction(
      c,
      () => c.var.administer(organisationPeople).remove(email),
      `${email} was removed.`,
    )
  })

type AddFormValues = z.infer<typeof AddForm>

/** Runs an action and redirects to the list with a notice. Renders errors on the page, next to the form if `values` is set. */
async function runAction(
  c: Context<DashboardEnv>,
  action: () => Promise<void>,
  notice: string,
  values?: AddFormValues,
) {
  try {
    await action()
  } catch (error) {
    if (error instanceof ApiError) return renderPeoplePage(c, error, values)
    throw error
  }
  return redirectWithFlash(c, peoplePath(c), { notice })
}

async function renderPeoplePage(
  c: Context<DashboardEnv>,
  error?: ApiError,
  values?: AddFormValues,
) {
  const people = await c.var.administer(organisationPeople).list()
  const path = peoplePath(c)
  return c.html(
    <Page c={c} title="People with access">
      <Notice message={takeFlash(c).notice} />
      {error && !values && <p role="alert">{error.message}</p>}
      <PeopleTable path={path} people={people} />
      <section class="section">
        <h2>Add a person</h2>
        <p class="quiet">
          {hasProvider(c.env) ? (
            'They sign in with their e-mail address and need no invitation.'
          ) : (
            <>
              Until <a href={dashboardPath(c, '/settings/set-up')}>sign-in is set up</a>, each of
              them needs a code from the operator of this service for each sign-in.
            </>
          )}
        </p>
        <ul>
          {roles.map((role) => (
            <li>
              {roleTable[role].label}: {roleTable[role].summary}
            </li>
          ))}
        </ul>
        <RowForm
          action={path}
          fields={personFields}
          values={values ?? { role: 'reader' }}
          errors={values && error ? { email: error.message } : {}}
          failure="Nobody was added."
          saveLabel="Add person"
        />
      </section>
    </Page>,
    error ? (statuses[error.type] as 400) : 200,
  )
}

const roleOptions = roles.map((value) => ({
  value,
  label: roleTable[value].label,
}))

const personFields: readonly FormField[] = [
  {
    name: 'email',
    label: 'E-mail address',
    attributes: { type: 'email', required: true, maxlength: 254, autocomplete: 'off' },
  },
  { name: 'role', label: 'Role', options: roleOptions },
]

const PeopleTable = ({ path, people }: { path: string; people: User[] }) => (
  <DataTable
    label="People"
    columns={[
      { heading: 'E-mail address', cell: ({ email }) => email },
      { heading: 'Has signed in', cell: ({ bound }) => (bound ? 'Yes' : 'Not yet') },
      {
        heading: 'Role',
        cell: ({ email, role }) => (
          <Form action={`${path}/role`} hidden={{ email }} class="row">
            <Select
              options={roleOptions}
              selected={role}
              attributes={{ name: 'role', 'aria-label': `Role of ${email}` }}
            />
            <button type="submit" class="button plain" aria-label={`Save the role of ${email}`}>
              Save
            </button>
          </Form>
        ),
      },
      {
        heading: 'Actions',
        cell: ({ email, bound }) => (
          <div class="row">
            {bound && (
              <ActionButton
                action={`${path}/sign-out`}
                hidden={{ email }}
                label="Sign out"
                target={email}
                class="button plain"
              />
            )}
            <ActionButton
              action={`${path}/remove/confirm`}
              hidden={{ email }}
              label="Remove"
              target={email}
              class="button plain"
            />
          </div>
        ),
      },
    ]}
    rows={people}
  />
)

/** Asks for confirmation before a user loses access. */
function ConfirmRemove({ c, email }: { c: Context<DashboardEnv>; email: string }) {
  const path = peoplePath(c)
  return (
    <Page c={c} title="Remove a person">
      <Confirm
        action={`${path}/remove`}
        hidden={{ email }}
        confirmLabel="Remove this person"
        cancelPath={path}
      >
        <p>
          Remove <strong>{email}</strong>? They lose access with their next request. You can add
          them again later.
        </p>
      </Confirm>
    </Page>
  )
}

const peoplePath = (c: Context<DashboardEnv>) => dashboardPath(c, '/settings/people')
