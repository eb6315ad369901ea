import { collectionNames } from '../model/collection-names.ts'
import { messageTypes, testMessageType } from './message.ts'

const exampleData = {
  organisationId: 'oak-trust',
  collection: 'members',
  id: 'm-7',
  version: 4711,
  changed: ['Email', 'Postcode'],
}

const describeHeader = (name: string, description: string, example: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string', examples: [example] },
})

/** What is sent to webhooks, as the `webhooks` of an OpenAPI 3.1 document (additions 3). */
export const openApiWebhooks = {
  recordChanged: {
    post: {
      operationId: 'recordChanged',
      summary: 'A record has changed',
      description:
        'An addition to the contract, for the webhooks that administrators add on the dashboard. Sent as Standard Webhooks says: at least once, of each record in order, with the same `webhook-id` each time. It tells what changed and no value; the receiver asks the API for that.',
      security: [],
      parameters: [
        describeHeader(
          'webhook-id',
          'The id of the message, by which repeats are told.',
          'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
        ),
        describeHeader(
          'webhook-timestamp',
          'When it was sent, in seconds since 1970.',
          '1773480600',
        ),
        describeHeader(
          'webhook-signature',
          '`v1,` and the HMAC-SHA256, in Base64, of `<webhook-id>.<webhook-timestamp>.<body>`; two with a space between them for a day after the secret was rotated.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['type', 'timestamp', 'data'],
              additionalProperties: false,
              properties: {
                type: {
                  ...{
                    type: 'string',
                    enum: [...collectionNames.flatMap(messageTypes), testMessageType],
                  },
                  description:
                    'Of which collection a record was created, updated or deleted; or that this is a test.',
                  examples: ['member.updated'],
                },
                timestamp: {
                  ...{ type: 'string', format: 'date-time' },
                  description: 'When the record changed, in UTC.',
                  examples: ['2026-03-14T09:30:00.000Z'],
                },
                data: {
                  description: 'What changed, and whose it is.',
                  type: 'object',
                  required: ['organisationId'],
                  additionalProperties: false,
                  properties: {
                    organisationId: {
                      type: 'string',
                      description: 'The id of the organisation.',
                      examples: ['oak-trust'],
                    },
                    collection: {
                      ...{ type: 'string', enum: collectionNames },
                      description: 'The collection of the record.',
                      examples: ['members'],
                    },
                    id: { type: 'string', description: 'The id of the record.', examples: ['m-7'] },
                    version: {
                      ...{
                        type: 'integer',
                        format: 'int64',
                        minimum: 0,
                        maximum: Number.MAX_SAFE_INTEGER,
                      },
                      description: 'Greater than that of every change before.',
                      examples: [4711],
                    },
                    changed: {
                      ...{ type: 'array', items: { type: 'string' } },
                      description:
                        'The ids of the fields of people, or the properties of another record, that changed since the message before; of a record that was created those it has; of one that was deleted none.',
                      examples: [['Email', 'Postcode']],
                    },
                  },
                },
              },
            },
            example: {
              type: 'member.updated',
              timestamp: '2026-03-14T09:30:00.000Z',
              data: exampleData,
            },
          },
        },
      },
      responses: {
        '204': { description: 'Any 2xx: it was taken.' },
        '410': { description: 'Nothing more is wanted: the webhook is disabled.' },
        '429': {
          description: 'Later, as `Retry-After` says. Any other answer is tried again as well.',
        },
      },
    },
  },
} as const
