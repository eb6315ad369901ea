import { type Command, InvalidArgumentError, Option } from 'commander'
import { summariseAccess } from '../../src/access/describe-access.ts'
import { assistantPermissions } from '../../src/access/permissions.ts'
import { parseRestrictions } from '../../src/access/restriction-effects.ts'
import { KeyExpiry } from '../../src/admin/key-expiry.ts'
import { changeKey, createKey, deleteKey, type NewKey, rotateKey } from '../../src/admin/keys.ts'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { reactivateKey, revokeAllKeys, revokeKey } from '../../src/store/settings/keys.ts'
import { type ListedKey, listAllKeys, listKeys } from '../../src/store/settings/list-keys.ts'
import type { Store } from '../../src/store/store.ts'
import { CommandError, type Report } from '../terminal/report.ts'
import { databaseAction, organisationAction } from './action.ts'
import {
  addKeyAccessOptions,
  type KeyAccessOptions,
  mergeRestrictions,
  requireValidRestrictions,
  toAssistantRestrictions,
} from './key-access.ts'

/** `key create`, `change`, `list`, `rotate`, `revoke`, `reactivate` and `delete`. */
export function keyCommands(program: Command): void {
  const key = program.command('key').description("The organisations' API keys.")
  addKeyAccessOptions(
    key
      .command('create <organisation>')
      .description('Create a key and show it once.')
      .requiredOption('--name <name>', 'what the key is for')
      .option('--expires <day>', 'last day in UTC, such as 2027-01-31, or a time', parseExpiry)
      .addOption(
        new Option(
          '--assistant',
          'a key for an AI assistant: it reads at /mcp, without free text and private notes',
        ).conflicts('permissions'),
      ),
  ).action(
    organisationAction<KeyAccessOptions & { name: string; expires?: string; assistant?: true }>(
      async (bindings, [organisation = ''], { name, expires, assistant, ...options }) => {
        const permissions = assistant ? assistantPermissions : options.permissions
        const restrictions = permissions?.includes('assistant')
          ? toAssistantRestrictions(options)
          : mergeRestrictions(options)
        await requireValidRestrictions(bindings.DB, organisation, restrictions)
        return reportNewKey(
          await createKey(bindings, operatorStore(bindings.DB, organisation), {
            name,
            expires,
            permissions,
            restrictions,
          }),
        )
      },
    ),
  )
  addKeyAccessOptions(
    key
      .command('change <key-id>')
      .description('Change the permissions and restrictions of a key; the others stay.'),
  ).action(
    databaseAction<KeyAccessOptions>(
      async (bindings, [id = ''], { permissions, ...accessOptions }) => {
        const { storage, store, ...storedKey } = await findKey(bindings, id)
        const { organisationId } = storedKey
        const restrictions = mergeRestrictions(
          accessOptions,
          parseRestrictions(storedKey.restrictions),
        )
        await requireValidRestrictions(storage.DB, organisationId, restrictions)
        const access = {
          permissions: permissions ?? storedKey.permissions.split(','),
          restrictions,
        }
        if (!(await changeKey(store, id, access)))
          throw new CommandError(`There is no key ${id} to change.`)
        const updatedKey = await findKey(bindings, id)
        return {
          json: { id, permissions: updatedKey.permissions, restrictions },
          lines: [`change: ${id}  ${summariseAccess(updatedKey)}`],
        }
      },
    ),
  )
  key
    .command('list [organisation]')
    .description('List the keys of one organisation or all.')
    .action(
      databaseAction(async (bindings, [organisation]) => {
        const keys = organisation
          ? await listKeys(
              operatorStore((await openOrganisation(bindings, organisation)).DB, organisation),
            )
          : await listAllKeys(bindings)
        return {
          json: {
            keys: keys.map((key) => ({
              ...key,
              restrictions: parseRestrictions(key.restrictions),
            })),
          },
          lines: keys.map((key) => {
            const { id, organisationId, name, prefix, state, expires } = key
            const until = state === 'active' && expires ? ` until ${expires}` : ''
            return `${id}  ${organisationId}  ${prefix}…  ${state}${until}  ${summariseAccess(key)}  ${name}`
          }),
        }
      }),
    )
  key
    .command('rotate <key-id>')
    .description('Create a key that replaces another, which keeps working for a while.')
    .option('--grace <hours>', 'how long the old key keeps working', parseHours, 24)
    .action(
      databaseAction<{ grace: number }>(async (bindings, [id = ''], { grace }) => {
        const { storage, store } = await findKey(bindings, id)
        const newKey = await rotateKey(storage, store, id, grace * 3600)
        if (!newKey) throw new CommandError(`There is no key ${id} to rotate.`)
        return reportNewKey(newKey)
      }),
    )
  key
    .command('revoke [key-id]')
    .description('Reject a key from its next request, or all keys of an organisation.')
    .option('--all <organisation>', 'revoke every active key of this organisation')
    .option('--yes', 'with --all: revoke them; otherwise only list them')
    .action(
      databaseAction<{ all?: string; yes?: true }>(async (bindings, [id], { all, yes }) => {
        if ((id === undefined) === (all === undefined))
          throw new CommandError('Name a key, or an organisation with --all.')
        if (all !== undefined) return revokeAll(bindings, all, yes === true)
        return runKeyCommand(bindings, 'revoke', id ?? '', (_, store, id) => revokeKey(store, id))
      }),
    )
  addKeyCommand(key, 'reactivate', 'Accept a revoked key again.', (_, store, id) =>
    reactivateKey(store, id),
  )
  addKeyCommand(key, 'delete', 'Delete a key for good.', deleteKey)
}

async function revokeAll(
  bindings: Databases,
  organisationId: string,
  isConfirmed: boolean,
): Promise<Report> {
  const { DB } = await openOrganisation(bindings, organisationId)
  if (isConfirmed) {
    const revoked = await revokeAllKeys(operatorStore(DB, organisationId))
    return {
      json: { organisationId, revoked: revoked.length, keys: revoked },
      lines: [
        ...revoked.map(({ id, prefix, name }) => [id, `${prefix}…`, name].join('  ')),
        `revoke: ${formatCount(revoked.length)}`,
      ],
    }
  }
  const keys = (await listKeys(operatorStore(DB, organisationId))).filter(
    ({ state }) => state === 'active',
  )
  return {
    json: { organisationId, revoked: 0, keys: keys.map(toLastUse) },
    lines: [
      ...keys.map(({ id, prefix, lastUsed, name }) =>
        [id, `${prefix}…`, `last used ${lastUsed ?? 'never'}`, name].join('  '),
      ),
      `${organisationId} has ${formatCount(keys.length)}. Add --yes to revoke all of them.`,
    ],
    done: false,
  }
}

const toLastUse = ({ id, prefix, lastUsed, name }: ListedKey) => ({ id, prefix, lastUsed, name })

const formatCount = (count: number) => `${count} active ${count === 1 ? 'key' : 'keys'}`

type RunKeyCommand = (storage: Databases, store: Store, id: string) => Promise<boolean>

async function runKeyCommand(
  bindings: Databases,
  verb: string,
  id: string,
  run: RunKeyCommand,
): Promise<Report> {
  const { storage, store } = await findKey(bindings, id)
  if (!(await run(storage, store, id))) throw new CommandError(`There is no key ${id} to ${verb}.`)
  return { json: { id }, lines: [`${verb}: ${id}`] }
}

function addKeyCommand(key: Command, verb: string, description: string, run: RunKeyCommand): void {
  key
    .command(`${verb} <key-id>`)
    .description(description)
    .action(databaseAction((bindings, [id = '']) => runKeyCommand(bindings, verb, id, run)))
}

/** A key, and the bindings with the database of its organisation as `DB`, and the organisation's store. */
async function findKey(
  bindings: Databases,
  id: string,
): Promise<ListedKey & { storage: Databases; store: Store }> {
  const key = (await listAllKeys(bindings)).find((key) => key.id === id)
  if (!key) throw new CommandError(`There is no key ${id}.`)
  const storage = await openOrganisation(bindings, key.organisationId)
  return { ...key, storage, store: operatorStore(storage.DB, key.organisationId) }
}

const reportNewKey = (newKey: NewKey) => ({
  json: newKey,
  lines: [newKey.key, 'Keep it safe: it is not shown again.'],
})

function parseExpiry(text: string): string {
  const { data, error } = KeyExpiry.safeParse(text)
  if (data) return data
  throw new InvalidArgumentError(`It ${error?.issues[0]?.message}`)
}

function parseHours(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of hours.')
  return Number(text)
}
