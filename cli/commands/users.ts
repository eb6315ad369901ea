import { type Command, Option } from 'commander'
import { type Role, roles, roleTable } from '../../src/access/roles.ts'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import { addUser, listUsers, removeUser } from '../../src/admin/users.ts'
import { invalidEmailMessage, normaliseSignInEmail } from '../../src/auth/address.ts'
import { createSignInCode } from '../../src/auth/one-time-codes.ts'
import { CommandError } from '../terminal/report.ts'
import { by, databaseAction } from './action.ts'

/** `user add`, `user list` and `user remove`: an organisation's users. */
export function userCommands(program: Command): void {
  const user = program.command('user').description("The organisations' users.")
  user
    .command('add <organisation>')
    .description('Add a user by email; their first sign-in with that verified address claims it.')
    .requiredOption('--email <address>', 'their email address')
    .addOption(
      new Option(
        '--role <role>',
        roles.map((role) => `${role}: ${roleTable[role].summary}`).join(' '),
      )
        .choices(roles)
        .makeOptionMandatory(),
    )
    .action(
      databaseAction<{ email: string; role: Role }>(
        async (bindings, [organisationId = ''], { email, role }) => {
          await openOrganisation(bindings, organisationId)
          if (!(await addUser(bindings.DB, { organisationId, email, role, by }))) {
            throw new CommandError(`email: ${invalidEmailMessage}`)
          }
          return { json: { organisationId, email, role }, lines: [`${email} added as ${role}.`] }
        },
      ),
    )
  user
    .command('list [organisation]')
    .description('List the users of one organisation or all.')
    .action(
      databaseAction(async (bindings, [organisation]) => {
        if (organisation) await openOrganisation(bindings, organisation)
        const users = await listUsers(bindings.DB, organisation)
        return {
          json: { users },
          lines: users.map(
            ({ organisationId, email, role }) => `${organisationId}  ${role}  ${email}`,
          ),
        }
      }),
    )
  user
    .command('code')
    .description(
      'Print a code that signs a user in to the dashboard once, within 24 hours, until they use the identity provider.',
    )
    .requiredOption('--email <address>', 'their email address')
    .action(
      databaseAction<{ email: string }>(async ({ DB }, _, options) => {
        const email = normaliseSignInEmail(options.email)
        const code = await createSignInCode(DB, email)
        if (code === undefined)
          throw new CommandError(
            `${email} needs no code: no organisation has this user, or they sign in through the identity provider.`,
          )
        return {
          json: { email, code },
          lines: [code, 'It works once, within 24 hours, at /dashboard/sign-in.'],
        }
      }),
    )
  user
    .command('remove <organisation>')
    .description('Remove a user; their next request is rejected.')
    .requiredOption('--email <address>', 'their email address')
    .action(
      databaseAction<{ email: string }>(async ({ DB }, [organisationId = ''], { email }) => {
        if (!(await removeUser(DB, { organisationId, email, by }))) {
          throw new CommandError(`There is no user ${email} in ${organisationId}.`)
        }
        return { json: { organisationId, email }, lines: [`${email} removed.`] }
      }),
    )
}
