import { type Command, InvalidArgumentError } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { collectionNames } from '../../src/model/collection.ts'
import type { Store } from '../../src/store/store.ts'
import {
  type ListedWebhook,
  listAttempts,
  listWebhooks,
} from '../../src/store/webhooks/list-webhooks.ts'
import { resendMessage, resendSince } from '../../src/store/webhooks/resend.ts'
import { pauseWebhook, removeWebhook, resumeWebhook } from '../../src/store/webhooks/webhooks.ts'
import { validateAddress } from '../../src/webhooks/address.ts'
import { changeNames } from '../../src/webhooks/message.ts'
import { addWebhook } from '../../src/webhooks/new-secret.ts'
import { sendTestMessage } from '../../src/webhooks/test-message.ts'
import { CommandError } from '../terminal/report.ts'
import { organisationAction } from './action.ts'
import {
  reportNewSecret,
  resolveWebhookKey,
  webhookNotFound,
  webhookSecretCommands,
} from './webhook-secrets.ts'

type WebhookOptions = { collections: string[]; changes: string[]; allowLocal?: true }

/** `webhook add`, `list`, `test`, `pause`, `resume`, `rotate`, `remove`, `attempts` and `resend`. */
export function webhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('Manage webhooks. Messages are sent within a minute.')
  webhook
    .command('add <organisation> <address>')
    .description('Add a webhook for future changes and show its secret once.')
    .option('--collections <names>', 'of which collections', parseChoices(collectionNames), [
      ...collectionNames,
    ])
    .option(
      '--changes <names>',
      `the changes to follow: ${changeNames.join(', ')}`,
      parseChoices(changeNames),
      [...changeNames],
    )
    .option(
      '--allow-local',
      'allow an address on this machine, for npm start -- --allow-local-webhooks',
    )
    .action(
      organisationAction<WebhookOptions>(
        async ({ DB }, [organisationId = '', url = ''], options) => {
          if (options.allowLocal && options.remote)
            throw new CommandError('--allow-local is for the service on this machine.')
          const error = validateAddress(url, {
            ownHosts: [],
            allowsLocal: options.allowLocal === true,
          })
          if (error) throw new CommandError(`address: ${error}`)
          const { collections, changes } = options
          const keys = { WEBHOOK_KEY: await resolveWebhookKey(options) }
          const store = operatorStore(DB, organisationId)
          return reportNewSecret(await addWebhook(keys, store, { url, collections, changes }))
        },
      ),
    )
  webhook
    .command('list <organisation>')
    .description('List the webhooks of an organisation.')
    .action(
      organisationAction(async ({ DB }, [organisationId = '']) => {
        const webhooks = await listWebhooks(operatorStore(DB, organisationId))
        return { json: { webhooks }, lines: webhooks.map(formatWebhook) }
      }),
    )
  webhook
    .command('attempts <organisation> <webhook-id>')
    .description('List delivery attempts of the last 30 days.')
    .action(
      organisationAction(async ({ DB }, [organisationId = '', id = '']) => {
        const store = operatorStore(DB, organisationId)
        await requireWebhook(store, id)
        const attempts = await listAttempts(store, id)
        return {
          json: { attempts },
          lines: attempts.map(({ attempted, messageId, type, recordId, attempt, ...details }) => {
            const { status, failure, durationMs, next, response } = details
            const outcome = `${status ?? 'no answer'} in ${durationMs} ms`
            const then = [
              failure,
              next && `Next attempt: ${next}.`,
              response && JSON.stringify(response),
            ]
            return `${attempted}  ${messageId}  ${type} ${recordId}  attempt ${attempt}: ${outcome}. ${then.filter(Boolean).join(' ')}`
          }),
        }
      }),
    )
  webhookSecretCommands(webhook)
  addWebhookCommand(webhook, 'pause', 'Pause a webhook until it is resumed.', pauseWebhook)
  addWebhookCommand(
    webhook,
    'resume',
    'Resume a webhook, starting with its waiting messages.',
    resumeWebhook,
  )
  addWebhookCommand(webhook, 'remove', 'Remove a webhook and its attempts for good.', removeWebhook)
  addWebhookCommand(webhook, 'test', 'Send a test message.', async (store, id) =>
    Boolean(await sendTestMessage(store, id)),
  )
  webhook
    .command('resend <organisation> <webhook-id> [message-id]')
    .description('Send a message again, or all changes since a time with --since.')
    .option('--since <time>', 'such as 2027-01-31T09:00:00Z', parseTime)
    .action(
      organisationAction<{ since?: string }>(
        async ({ DB }, [organisationId = '', id = '', message], { since }) => {
          const store = operatorStore(DB, organisationId)
          await requireWebhook(store, id)
          if ((message === undefined) === (since === undefined))
            throw new CommandError('Name a message, or a time with --since.')
          if (since !== undefined) await resendSince(store, id, since)
          else if (!(await resendMessage(store, id, message ?? '')))
            throw new CommandError(`There is no message ${message} of the last 30 days.`)
          return { json: { id }, lines: [`resend: ${id}`] }
        },
      ),
    )
}

function addWebhookCommand(
  webhook: Command,
  verb: string,
  description: string,
  run: (store: Store, id: string) => Promise<boolean>,
): void {
  webhook
    .command(`${verb} <organisation> <webhook-id>`)
    .description(description)
    .action(
      organisationAction(async ({ DB }, [organisationId = '', id = '']) => {
        const store = operatorStore(DB, organisationId)
        const found = await requireWebhook(store, id)
        if (!(await run(store, id)))
          throw new CommandError(`${verb}: the webhook ${id} is ${found.state}.`)
        return { json: { id }, lines: [`${verb}: ${id}`] }
      }),
    )
}

async function requireWebhook(store: Store, id: string): Promise<ListedWebhook> {
  const match = (await listWebhooks(store)).find((webhook) => webhook.id === id)
  if (!match) throw webhookNotFound(store.organisationId, id)
  return match
}

function formatWebhook({
  id,
  url,
  state,
  reason,
  failures,
  waiting,
  isBehind,
  lastSuccess,
}: ListedWebhook) {
  const parts = [
    reason,
    `last success ${lastSuccess ?? 'never'}`,
    `${failures} failures in a row`,
    `${waiting} waiting`,
    isBehind && 'more to send',
  ]
  return `${id}  ${state}  ${url}  ${parts.filter(Boolean).join(', ')}`
}

const parseChoices = (names: readonly string[]) => (text: string) => {
  const chosen = [...new Set(text.split(',').map((name) => name.trim()))]
  if (chosen.every((name) => names.includes(name))) return chosen
  throw new InvalidArgumentError(`It must be names separated by commas, of ${names.join(', ')}.`)
}

function parseTime(text: string): string {
  const timestamp = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(timestamp))
    throw new InvalidArgumentError('It must be a time, such as 2027-01-31T09:00:00Z.')
  return new Date(timestamp).toISOString()
}
