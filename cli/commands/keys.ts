import { type Command, InvalidArgumentError } from 'commander'
import {
  changeKey,
  createKey,
  deleteKey,
  type KeyAct,
  type NewKey,
  reactivateKey,
  revokeKey,
  rotateKey,
} from '../../src/auth/key-acts.ts'
import { KeyExpiry } from '../../src/auth/key-expiry.ts'
import { listKeys, type ShownKey } from '../../src/auth/shown-keys.ts'
import { inBrief } from '../../src/limits/in-words.ts'
import { limitsOf } from '../../src/limits/limits.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action, by } from './action.ts'
import { demandLimits, limitsSaid, type SaidOfKey, withKeyRights } from './key-limits.ts'
import { demandOrganisation } from './organisations.ts'

/** `key create`, `change`, `list`, `rotate`, `revoke`, `reactivate` and `delete` (contract 5). */
export function keyCommands(program: Command): void {
  const key = program.command('key').description("The organisations' API keys.")
  withKeyRights(
    key
      .command('create <organisation>')
      .description('Make a key; it is shown this once.')
      .requiredOption('--name <name>', 'what the key is for')
      .option('--expires <day>', 'its last day in UTC, such as 2027-01-31, or a time', expiry),
  ).action(
    action<SaidOfKey & { name: string; expires?: string }>(
      async (bindings, [organisation = ''], { name, expires, may, ...said }) => {
        await demandOrganisation(bindings.DB, organisation)
        const limits = limitsSaid(said)
        await demandLimits(bindings.DB, organisation, limits)
        return shown(await createKey(bindings, organisation, name, by, expires, may, limits))
      },
    ),
  )
  withKeyRights(
    key
      .command('change <key-id>')
      .description(
        'Change what a key may do; what is not said stays, and the next request has it.',
      ),
  ).action(
    action<SaidOfKey>(async (bindings, [id = ''], { may, ...said }) => {
      const { organisationId, ...kept } = await keyCalled(bindings, id)
      const limits = limitsSaid(said, limitsOf(kept.limits))
      await demandLimits(bindings.DB, organisationId, limits)
      const rights = { may: may ?? kept.rights.split(','), limits }
      if (!(await changeKey(bindings.DB, { organisationId, id, by }, rights)))
        throw new Refusal(`There is no key ${id} to change.`)
      const now = await keyCalled(bindings, id)
      return { json: { id, rights: now.rights, limits }, lines: [`change: ${id}  ${inBrief(now)}`] }
    }),
  )
  key
    .command('list [organisation]')
    .description('List the keys of an organisation, or of all.')
    .action(
      action(async ({ DB }, [organisation]) => {
        if (organisation) await demandOrganisation(DB, organisation)
        const keys = await listKeys(DB, organisation)
        return {
          json: { keys: keys.map((key) => ({ ...key, limits: limitsOf(key.limits) })) },
          lines: keys.map((key) => {
            const { id, organisationId, name, prefix, state, expires } = key
            const until = state === 'active' && expires ? ` until ${expires}` : ''
            return `${id}  ${organisationId}  ${prefix}…  ${state}${until}  ${inBrief(key)}  ${name}`
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
  act: (bindings: Databases, act: KeyAct) => Promise<boolean>,
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

async function keyCalled({ DB }: Databases, id: string): Promise<ShownKey> {
  const key = (await listKeys(DB)).find((key) => key.id === id)
  if (!key) throw new Refusal(`There is no key ${id}.`)
  return key
}

async function keyAct(bindings: Databases, id: string): Promise<KeyAct> {
  const { organisationId } = await keyCalled(bindings, id)
  return { organisationId, id, by }
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

function hours(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of hours.')
  return Number(text)
}
