import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { callApi, collections, recordOf } from './api.ts'

/** The age in seconds from which a message is a replay. */
const maxAge = 300

/** What n8n keeps for a workflow: its webhook. */
type Subscription = { webhookId?: string; secret?: string }

/** Starts a workflow when records change, with a webhook that it adds when the workflow is activated. */
export class OrganisationDataTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Organisation Data Trigger',
    name: 'organisationDataTrigger',
    icon: {
      light: 'file:../../icons/organisation-data.svg',
      dark: 'file:../../icons/organisation-data.dark.svg',
    },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["changes"].join(", ")}}',
    description:
      'Starts the workflow when records change. The message names the record: get it with the next node.',
    defaults: { name: 'Organisation Data Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'organisationDataApi', required: true }],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
    ],
    properties: [
      {
        displayName: 'Resources',
        name: 'collections',
        type: 'multiOptions',
        options: collections,
        default: ['members'],
        required: true,
      },
      {
        displayName: 'Changes',
        name: 'changes',
        type: 'multiOptions',
        options: [
          { name: 'Created', value: 'created' },
          { name: 'Deleted', value: 'deleted' },
          { name: 'Updated', value: 'updated' },
        ],
        default: ['created'],
        required: true,
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId }: Subscription = this.getWorkflowStaticData('node')
        if (webhookId === undefined) return false
        const { body } = await callApi(this, '/webhooks')
        return (body.webhooks as IDataObject[]).some((webhook) => webhook.webhookId === webhookId)
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const body = {
          url: this.getNodeWebhookUrl('default'),
          collections: this.getNodeParameter('collections'),
          changes: this.getNodeParameter('changes'),
        }
        const added = recordOf(await callApi(this, '/webhooks', { method: 'POST', body }))
        Object.assign(this.getWorkflowStaticData('node'), added)
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const subscription: Subscription = this.getWorkflowStaticData('node')
        if (subscription.webhookId !== undefined)
          await callApi(this, `/webhooks/${subscription.webhookId}`, { method: 'DELETE' })
        delete subscription.webhookId
        delete subscription.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret = '' }: Subscription = this.getWorkflowStaticData('node')
    const { rawBody } = this.getRequestObject()
    if (!isSigned(this.getHeaderData(), rawBody, secret)) {
      this.getResponseObject().status(401).end()
      return { noWebhookResponse: true }
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] }
  }
}

/** Whether a message has a signature by the secret, and is new (Standard Webhooks). */
function isSigned(headers: IDataObject, body: Buffer, secret: string): boolean {
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0 || Math.abs(Date.now() / 1000 - Number(timestamp)) > maxAge) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
