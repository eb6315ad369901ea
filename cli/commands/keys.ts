import { type Command, InvalidArgumentError } from 'commander'
import {
  createKey,
  deleteKey,
  type KeyAct,
  listKeys,
  type NewKey,
  reactivateKey,
  revokeKey,
  rotateKey,
} from '../../src/auth/key-acts.ts'
import { KeyExpiry } from '../../src/auth/key-expiry.ts'
import { faultOfRights, rights, usualRights } from '../../src/model/rights.ts'
import type { Bindings } from '../../src/platform/bindings.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action, by } from './action.ts'
import { demandOrganisation } from './organisations.ts'

/** `key create`, `list`, `rotate`, `revoke`, `reactivate` and `delete` (contract 5). */
export function keyCommands(program: Command): void {
  const key = program.command('key').description("The organisations' API keys.")
  key
    .command('create <organisation>')
    .description('Make a key; it is shown this once.')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--expires <day>', 'its last day in UTC, such as 2027-01-31, or a time', expiry)
    .option('--may <rights>', `what it may do, of ${rights.join(', ')}`, rightsOf, [...usualRights])
    .action(
      action<{ name: string; expires?: string; may: string[] }>(
        async (bindings, [organisation = ''], { name, expires, may }) => {
          await demandOrganisation(bindings.DB, organisation)
          return shown(await createKey(bindings, organisation, name, by, expires, may))
        },
      ),
    )
  key
    .command('list [organisation]')
    .description('List the keys of an organisation, or of all.')
    .action(
      action(async ({ DB }, [organisation]) => {
        if (organisation) await demandOrganisation(DB, organisation)
        const keys = await listKeys(DB, organisation)
        return {
          json: { keys },
          lines: keys.map(({ id, organisationId, name, prefix, state, expires, rights }) => {
            const until = state === 'active' && expires ? ` until ${expires}` : ''
            return `${id}  ${organisationId}  ${prefix}…  ${state}${until}  ${rights}  ${name}`
          }),
        }
      }),
    )
  key
    .command('rotate <key-id>')
    .description('Make a key in place of another, which works on for a while.')
    .option('--grace <hours>', 'for how long the old key still works', hours, 24)
    .action(
      action<{ grace: number }>(async (bindings, [id = ''], { grace }) => {
        const made = await rotateKey(bindings, await keyAct(bindings, id), grace * 3600)
        if (!made) throw new Refusal(`There is no key ${id} to rotate.`)
        return shown(made)
      }),
    )
  change(key, 'revoke', 'Refuse a key from its next request on.', ({ DB }, act) =>
    revokeKey(DB, act),
  )
  change(key, 'reactivate', 'Accept a revoked key again.', ({ DB }, act) => reactivateKey(DB, act))
  change(key, 'delete', 'Delete a key for good.', deleteKey)
}

function change(
  key: Command,
  verb: string,
  description: string,
  act: (bindings: Bindings, act: KeyAct) => Promise<boolean>,
): void {
  key
    .command(`${verb} <key-id>`)
    .description(description)
    .action(
      action(async (bindings, [id = '']) => {
        if (!(await act(bindings, await keyAct(bindings, id)))) {
          throw new Refusal(`There is no key ${id} to ${verb}.`)
        }
        return { json: { id }, lines: [`${verb}: ${id}`] }
      }),
    )
}

async function keyAct({ DB }: Bindings, id: string): Promise<KeyAct> {
  const key = (await listKeys(DB)).find((key) => key.id === id)
  if (!key) throw new Refusal(`There is no key ${id}.`)
  return { organisationId: key.organisationId, id, by }
}

const shown = (made: NewKey) => ({
  json: made,
  lines: [made.key, 'Keep it safe: it is not shown again.'],
})

function expiry(text: string): string {
  const { data, error } = KeyExpiry.safeParse(text)
  if (data) return data
  throw new InvalidArgumentError(`It ${error?.issues[0]?.message}`)
}

function rightsOf(text: string): string[] {
  const given = text.split(',').map((right) => right.trim())
  const fault = faultOfRights(given)
  if (fault) throw new InvalidArgumentError(`It ${fault}`)
  return given
}

function hours(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of hours.')
  return Number(text)
}
