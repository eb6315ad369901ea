import { collectionNames } from '../model/collection-names.ts'
import { testType, typesOf } from './message.ts'

const data = {
  organisationId: 'oak-trust',
  collection: 'members',
  id: 'm-7',
  version: 4711,
  changed: ['Email', 'Postcode'],
}

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
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
        header('webhook-id', 'The id of the message, by which repeats are told.'),
        header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
        header(
          'webhook-signature',
          '`v1,` and the HMAC-SHA256, in Base64, of `<webhook-id>.<webhook-timestamp>.<body>`; two with a space between them for a day after the secret was rotated.',
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
                type: { type: 'string', enum: [...collectionNames.flatMap(typesOf), testType] },
                timestamp: {
                  ...{ type: 'string', format: 'date-time' },
                  description: 'When the record changed.',
                },
                data: {
                  type: 'object',
                  required: ['organisationId'],
                  additionalProperties: false,
                  properties: {
                    organisationId: { type: 'string' },
                    collection: { type: 'string', enum: collectionNames },
                    id: { type: 'string' },
                    version: {
                      ...{
                        type: 'integer',
                        format: 'int64',
                        minimum: 0,
                        maximum: Number.MAX_SAFE_INTEGER,
                      },
                      description: 'Greater than that of every change before.',
                    },
                    changed: {
                      ...{ type: 'array', items: { type: 'string' } },
                      description:
                        'The ids of the fields of people, or the properties of another record, that changed since the message before; of a record that was created those it has; of one that was deleted none.',
                    },
                  },
                },
              },
            },
            example: { type: 'member.updated', timestamp: '2026-03-14T09:30:00.000Z', data },
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
