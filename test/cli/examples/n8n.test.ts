import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createKey } from '../../keys.ts'
import { localWorker } from '../local-worker.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { run } from './served.ts'

const source = 'examples/n8n'

/** What n8n gives to the functions of a node, with requests to a running service. */
const worker = await localWorker()
const permissions = ['read', 'create-members', 'write', 'manage-webhooks']
const { key } = await createKey(
  worker.env,
  worker.organisationId,
  'n8n',
  'a test',
  undefined,
  permissions,
)

type Request = { url: string; method?: string; body?: unknown; qs?: Record<string, unknown> }

const requested: string[] = []

async function send(_credential: string, { url, method = 'GET', body, qs = {} }: Request) {
  const address = new URL(url)
  for (const [name, value] of Object.entries(qs)) address.searchParams.set(name, String(value))
  requested.push(`${method} ${address.pathname}${address.search}`)
  const response = await fetch(address, {
    method,
    headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
  return { body: text && JSON.parse(text), headers: Object.fromEntries(response.headers) }
}

const context = (parameters: Record<string, unknown>, also: object = {}) => ({
  getCredentials: async () => ({ baseUrl: `${worker.url.origin}/api/v1/` }),
  helpers: {
    httpRequestWithAuthentication: send,
    returnJsonArray: (json: object) => [{ json }],
  },
  getInputData: () => [{ json: {} }],
  getNodeParameter: (name: string) => parameters[name],
  continueOnFail: () => parameters.continueOnFail === true,
  getNode: () => ({}),
  ...also,
})

type Loaded = { OrganisationData: Action; OrganisationDataTrigger: Trigger }
type Action = new () => { execute: (this: object) => Promise<{ json: object }[][]> }
type Hook = (this: object) => Promise<boolean>
type Trigger = new () => {
  webhookMethods: { default: Record<'checkExists' | 'create' | 'delete', Hook> }
  webhook: (this: object) => Promise<{ workflowData?: { json: object }[][] }>
}

/** Loads a node from a copy of the package. n8n itself is replaced by the two names that the nodes use at run time. */
async function loadNode<Name extends keyof Loaded>(name: Name): Promise<Loaded[Name]> {
  const workflow = join(folder, 'node_modules/n8n-workflow')
  await cp(source, folder, { recursive: true })
  await mkdir(workflow, { recursive: true })
  await writeFile(join(workflow, 'package.json'), '{"type":"module","main":"index.js"}')
  await writeFile(
    join(workflow, 'index.js'),
    `export const NodeConnectionTypes = { Main: 'main' }
    export class NodeApiError extends Error { constructor(_, { message }) { super(message) } }`,
  )
  const file = join(folder, `nodes/OrganisationData/${name}.node.ts`)
  const loaded: Loaded = await import(/* @vite-ignore */ pathToFileURL(file).href)
  return loaded[name]
}

const folder = await temporaryFolder()

test('the node creates, gets, updates and lists records, page by page', async () => {
  const node = new (await loadNode('OrganisationData'))()
  const execute = async (parameters: Record<string, unknown>) => {
    const [items = []] = await node.execute.call(context({ resource: 'funds', ...parameters }))
    return items.map(({ json }) => json)
  }
  const list = { operation: 'getAll', filter: "name eq 'From n8n'", returnAll: true }
  const values = { name: 'From n8n', recipientType: 'individual' }
  const created = [
    ...(await execute({ operation: 'create', values: JSON.stringify(values) })),
    ...(await execute({ operation: 'create', values })),
  ]
  expect(created).toEqual([{ id: expect.any(String) }, { id: expect.any(String) }])
  const [{ id: recordId } = {}] = created as { id?: string }[]
  expect(await execute({ operation: 'get', recordId })).toMatchObject([values])
  const changed = { operation: 'update', recordId, values: '{"name":"Renamed"}' }
  expect(await execute(changed)).toMatchObject([{ ...values, name: 'Renamed' }])
  expect(await execute(list)).toMatchObject([values])
  expect(await execute({ ...list, filter: '', returnAll: false, limit: 1 })).toHaveLength(1)
  const funds = Array.from({ length: 250 }, (_, index) => ({ ...values, fundId: `many-${index}` }))
  await send('', { url: `${worker.url.origin}/api/v1/funds`, method: 'PATCH', body: { funds } })
  requested.length = 0
  expect(await execute(list)).toHaveLength(251)
  expect(requested).toHaveLength(2)
  const wrong = { operation: 'get', recordId: 'nowhere' }
  await expect(execute(wrong)).rejects.toThrow('404')
  expect(await execute({ ...wrong, continueOnFail: true })).toEqual([
    { error: expect.stringContaining('404') },
  ])
})

test('the trigger adds its webhook once, accepts signed messages only, and deletes it', async () => {
  const trigger = new (await loadNode('OrganisationDataTrigger'))()
  const stored: { webhookId?: string; secret?: string } = {}
  const url = 'https://hooks.charity.org.uk/n8n'
  const parameters = { collections: ['funds'], changes: ['deleted'] }
  const also = { getWorkflowStaticData: () => stored, getNodeWebhookUrl: () => url }
  const { checkExists, create, delete: remove } = trigger.webhookMethods.default
  const call = (hook: Hook) => hook.call(context(parameters, also))
  expect(await call(checkExists)).toBe(false)
  expect(await call(create)).toBe(true)
  expect(await call(checkExists)).toBe(true)
  const message = { type: 'fund.deleted', data: { id: 'small' } }
  const body = JSON.stringify(message)
  const at = new Date()
  const signature = new Webhook(String(stored.secret)).sign('msg_1', at, body)
  const receive = async (rawBody: string, sent = at) => {
    const statuses: number[] = []
    const response = { status: (code: number) => ({ end: () => statuses.push(code) }) }
    const received = await trigger.webhook.call(
      context(parameters, {
        ...also,
        getRequestObject: () => ({ rawBody: Buffer.from(rawBody) }),
        getResponseObject: () => response,
        getBodyData: () => JSON.parse(rawBody),
        getHeaderData: () => ({
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
          'webhook-signature': `v1,AAAA ${signature}`,
        }),
      }),
    )
    return [received, statuses]
  }
  expect(await receive(body)).toEqual([{ workflowData: [[{ json: message }]] }, []])
  const refused = [{ noWebhookResponse: true }, [401]]
  expect(await receive(body.replace('small', 'large'))).toEqual(refused)
  expect(await receive(body, new Date(at.getTime() - 3_600_000))).toEqual(refused)
  expect(await call(remove)).toBe(true)
  expect(await call(checkExists)).toBe(false)
  expect((await send('', { url: `${worker.url.origin}/api/v1/webhooks` })).body).toEqual({
    webhooks: [],
  })
  expect(await receive(body)).toEqual(refused)
})

// Installs 190 MB, so `npm run test:long` runs it.
test.runIf(process.env.MODE === 'long')(
  "n8n's linter and types accept the package, and it builds",
  async () => {
    // Ours loads TypeScript, which another Node does not.
    const env = { ...process.env, NODE_OPTIONS: '' }
    const copy = join(await temporaryFolder(), 'package')
    await cp(source, copy, { recursive: true })
    const npm = (...args: string[]) => run('npm', args, { cwd: copy, timeout: 600_000, env })
    await npm('install', '--ignore-scripts', '--no-audit', '--no-fund')
    await npm('run', 'lint')
    await npm('run', 'build')
  },
  700_000,
)
