import type { Command } from 'commander'
import { openOrganisation } from '../../src/admin/open-organisation.ts'
import { operatorStore } from '../../src/admin/operator-store.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { listDatabases } from '../../src/store/databases.ts'
import { type NewSecret, rotateSecret } from '../../src/webhooks/new-secret.ts'
import { checkWebhookKey } from '../../src/webhooks/re-encrypt.ts'
import { type RotatedWebhook, rotateAllSecrets } from '../../src/webhooks/rotate-all.ts'
import { readWebhookKey } from '../deployment/settings.ts'
import { localState } from '../state/bindings.ts'
import { ensureLocalWebhookKey } from '../state/webhook-key.ts'
import { CommandError, type Report } from '../terminal/report.ts'
import { by, type CommandOptions, databaseAction } from './action.ts'

/** Adds `webhook rotate` and `check-key`: the secrets of webhooks, and the key that encrypts them. */
export function webhookSecretCommands(webhook: Command): void {
  webhook
    .command('rotate [organisation] [webhook-id]')
    .description('Create a new secret; for a day, messages are also signed with the old one.')
    .option('--all [organisation]', 'rotate all webhooks of this organisation, or of all')
    .action(
      databaseAction<{ all?: string | true }>(
        async (bindings, [organisationId = '', id = ''], { all, ...options }) => {
          if ((all === undefined) === (id === '') || (all && organisationId))
            throw new CommandError('Name an organisation and a webhook, or --all [organisation].')
          const WEBHOOK_KEY = await resolveWebhookKey(options)
          if (all) return rotateAll(bindings, WEBHOOK_KEY, all === true ? undefined : all)
          const { DB } = await openOrganisation(bindings, organisationId)
          const store = operatorStore(DB, organisationId)
          const newSecret = await rotateSecret({ WEBHOOK_KEY }, store, id)
          if (!newSecret) throw webhookNotFound(organisationId, id)
          return reportNewSecret(newSecret)
        },
      ),
    )
  webhook
    .command('check-key')
    .description('Check that WEBHOOK_KEY opens the secret of every webhook.')
    .action(
      databaseAction(async (bindings, _, options) =>
        checkKey(bindings, await resolveWebhookKey(options)),
      ),
    )
}

async function rotateAll(
  bindings: Databases,
  WEBHOOK_KEY: string,
  organisationId?: string,
): Promise<Report> {
  if (organisationId !== undefined) await openOrganisation(bindings, organisationId)
  const webhooks: RotatedWebhook[] = []
  let failure: unknown
  try {
    for (const [, DB] of listDatabases(bindings))
      webhooks.push(...(await rotateAllSecrets({ DB, WEBHOOK_KEY }, by, organisationId)))
  } catch (error) {
    // The secrets of the databases before this one are shown nowhere else.
    if (webhooks.length === 0) throw error
    failure = error
  }
  const lines = webhooks.map(
    ({ organisationId, id, url, secret }) => `${organisationId}  ${id}  ${url}  ${secret}`,
  )
  const note =
    failure === undefined
      ? 'Keep the secrets safe: they are not shown again.'
      : 'Keep these secrets safe: they are not shown again. Those of another database are not rotated: repeat the command for the other organisations.'
  return {
    json: { done: failure === undefined, webhooks },
    lines: webhooks.length === 0 ? ['There are no webhooks.'] : [...lines, note],
    done: failure === undefined,
  }
}

async function checkKey(bindings: Databases, key: string): Promise<Report> {
  const checks = await Promise.all(
    listDatabases(bindings).map(([, d1]) => checkWebhookKey(d1, key)),
  )
  const webhooks = checks.reduce((sum, check) => sum + check.webhooks, 0)
  const unreadable = checks.flatMap((check) => check.unreadable)
  const summary = `WEBHOOK_KEY opens the secrets of ${webhooks - unreadable.length} of ${webhooks} webhooks.`
  return {
    json: { webhooks, unreadable },
    lines: [
      ...unreadable.map(({ organisationId, id }) => `${organisationId}  ${id}  does not open`),
      summary,
    ],
    done: unreadable.length === 0,
  }
}

export const webhookNotFound = (organisationId: string, id: string) =>
  new CommandError(`There is no webhook ${id} of ${organisationId}.`)

/** The encryption key for secrets: the local one, or the operator's WEBHOOK_KEY of the deployment. */
export async function resolveWebhookKey({ remote, persistTo }: CommandOptions): Promise<string> {
  if (!remote) return ensureLocalWebhookKey(persistTo ?? localState)
  const environmentKey = readWebhookKey()
  if (environmentKey) return environmentKey
  throw new CommandError(
    'The generated WEBHOOK_KEY of a deployment cannot be read. Use the dashboard, or deploy with your own WEBHOOK_KEY and set it here.',
  )
}

export const reportNewSecret = (newSecret: NewSecret): Report => ({
  json: newSecret,
  lines: [newSecret.id, newSecret.secret, 'Keep the secret safe: it is not shown again.'],
})
