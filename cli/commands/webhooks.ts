import { type Command, InvalidArgumentError } from 'commander'
import { collectionNames } from '../../src/model/collection-names.ts'
import type { Databases } from '../../src/platform/bindings.ts'
import { addressFault } from '../../src/webhooks/address.ts'
import { changeNames } from '../../src/webhooks/message.ts'
import { resendMessage, resendSince, testWebhook } from '../../src/webhooks/on-request.ts'
import { listAttempts, listWebhooks, type ShownWebhook } from '../../src/webhooks/shown.ts'
import {
  addWebhook,
  type NewSecret,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  type WebhookAct,
} from '../../src/webhooks/webhooks.ts'
import { localState } from '../state/bindings.ts'
import { givenWebhookKey, localWebhookKey } from '../state/webhook-key.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action, by, type Options } from './action.ts'
import { demandOrganisation } from './organisations.ts'

type Wanted = { collections: string[]; changes: string[]; allowLocal?: true }

/** `webhook add`, `list`, `test`, `pause`, `resume`, `rotate`, `remove`, `attempts` and `resend` (additions 3). */
export function webhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description(
      'Where organisations are told of what changes. What is to be sent is sent within a minute.',
    )
  webhook
    .command('add <organisation> <address>')
    .description('Tell an address of what changes from now on; its secret is shown this once.')
    .option('--collections <names>', 'of which collections', oneOf(collectionNames), [
      ...collectionNames,
    ])
    .option('--changes <names>', `of what, of ${changeNames.join(', ')}`, oneOf(changeNames), [
      ...changeNames,
    ])
    .option(
      '--allow-local',
      'also an address of this machine, for npm start -- --allow-local-webhooks',
    )
    .action(
      action<Wanted>(async ({ DB }, [organisationId = '', url = ''], options) => {
        await demandOrganisation(DB, organisationId)
        if (options.allowLocal && options.remote)
          throw new Refusal('--allow-local is for the service on this machine.')
        const fault = addressFault(url, { own: [], local: options.allowLocal === true })
        if (fault) throw new Refusal(`address: ${fault}`)
        const { collections, changes } = options
        const storage = { DB, WEBHOOK_KEY: await webhookKey(options) }
        return shown(
          await addWebhook(storage, { organisationId, by }, { url, collections, changes }),
        )
      }),
    )
  webhook
    .command('list <organisation>')
    .description('List the webhooks of an organisation.')
    .action(
      action(async ({ DB }, [organisationId = '']) => {
        await demandOrganisation(DB, organisationId)
        const webhooks = await listWebhooks(DB, organisationId)
        return { json: { webhooks }, lines: webhooks.map(line) }
      }),
    )
  webhook
    .command('attempts <organisation> <webhook-id>')
    .description('List the latest attempts to deliver a message, of the last 30 days.')
    .action(
      action(async ({ DB }, [organisationId = '', id = '']) => {
        await demandWebhook(DB, { organisationId, id, by })
        const attempts = await listAttempts(DB, id)
        return {
          json: { attempts },
          lines: attempts.map(({ tried, messageId, type, recordId, attempt, ...came }) => {
            const { status, fault, milliseconds, next, answer } = came
            const outcome = `${status ?? 'no answer'} in ${milliseconds} ms`
            const then = [fault, next && `Next attempt: ${next}.`, answer && JSON.stringify(answer)]
            return `${tried}  ${messageId}  ${type} ${recordId}  attempt ${attempt}: ${outcome}. ${then.filter(Boolean).join(' ')}`
          }),
        }
      }),
    )
  webhook
    .command('rotate <organisation> <webhook-id>')
    .description('Make a new secret; for a day, messages are signed with the old one as well.')
    .action(
      action(async ({ DB }, [organisationId = '', id = ''], options) => {
        const act = { organisationId, id, by }
        const made = await rotateSecret({ DB, WEBHOOK_KEY: await webhookKey(options) }, act)
        if (!made) throw none(act)
        return shown(made)
      }),
    )
  change(webhook, 'pause', 'Send nothing until it is resumed.', ({ DB }, act) =>
    pauseWebhook(DB, act),
  )
  change(webhook, 'resume', 'Send again, beginning with what waits.', ({ DB }, act) =>
    resumeWebhook(DB, act),
  )
  change(webhook, 'remove', 'Remove it with its attempts, for good.', ({ DB }, act) =>
    removeWebhook(DB, act),
  )
  change(webhook, 'test', 'Have a test message sent.', async ({ DB }, act) =>
    Boolean(await testWebhook(DB, act)),
  )
  webhook
    .command('resend <organisation> <webhook-id> [message-id]')
    .description('Have a message sent again, or with --since everything that changed since a time.')
    .option('--since <time>', 'such as 2027-01-31T09:00:00Z', time)
    .action(
      action<{ since?: string }>(
        async ({ DB }, [organisationId = '', id = '', message], { since }) => {
          const act = { organisationId, id, by }
          await demandWebhook(DB, act)
          if ((message === undefined) === (since === undefined))
            throw new Refusal('Say which message, or --since which time.')
          if (since !== undefined) await resendSince(DB, act, since)
          else if (!(await resendMessage(DB, act, message ?? '')))
            throw new Refusal(`There is no message ${message} of the last 30 days.`)
          return { json: { id }, lines: [`resend: ${id}`] }
        },
      ),
    )
}

function change(
  webhook: Command,
  verb: string,
  description: string,
  act: (bindings: Databases, act: WebhookAct) => Promise<boolean>,
): void {
  webhook
    .command(`${verb} <organisation> <webhook-id>`)
    .description(description)
    .action(
      action(async (bindings, [organisationId = '', id = '']) => {
        const found = await demandWebhook(bindings.DB, { organisationId, id, by })
        if (!(await act(bindings, { organisationId, id, by })))
          throw new Refusal(`${verb}: the webhook ${id} is ${found.state}.`)
        return { json: { id }, lines: [`${verb}: ${id}`] }
      }),
    )
}

async function demandWebhook(DB: D1Database, act: WebhookAct): Promise<ShownWebhook> {
  const found = (await listWebhooks(DB, act.organisationId)).find(({ id }) => id === act.id)
  if (!found) throw none(act)
  return found
}

const none = ({ id, organisationId }: WebhookAct) =>
  new Refusal(`There is no webhook ${id} of ${organisationId}.`)

/** What secrets are encrypted with: of this machine's state, or what the operator says was given to the deployment. */
async function webhookKey({ remote, persistTo }: Options): Promise<string> {
  if (!remote) return (await localWebhookKey(persistTo ?? localState)).key
  const given = givenWebhookKey()
  if (given) return given
  throw new Refusal(
    'Nobody can read the WEBHOOK_KEY that a deployment has made: do this on the dashboard, or deploy with a WEBHOOK_KEY of your own and set it here.',
  )
}

const shown = (made: NewSecret) => ({
  json: made,
  lines: [made.id, made.secret, 'Keep the secret safe: it is not shown again.'],
})

function line({ id, url, state, reason, failures, waiting, isBehind, lastSuccess }: ShownWebhook) {
  const told = [
    reason,
    `last success ${lastSuccess ?? 'never'}`,
    `${failures} failures in a row`,
    `${waiting} waiting`,
    isBehind && 'more to send',
  ]
  return `${id}  ${state}  ${url}  ${told.filter(Boolean).join(', ')}`
}

const oneOf = (names: readonly string[]) => (text: string) => {
  const given = [...new Set(text.split(',').map((name) => name.trim()))]
  if (given.every((name) => names.includes(name))) return given
  throw new InvalidArgumentError(`It must be names separated by commas, of ${names.join(', ')}.`)
}

function time(text: string): string {
  const at = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('It must be a time, such as 2027-01-31T09:00:00Z.')
  return new Date(at).toISOString()
}
