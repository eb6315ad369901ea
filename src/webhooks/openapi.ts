import { collectionNames } from '../model/collection.ts'
import { messageTypes, testMessageType } from './message.ts'

const exampleData = {
  organisationId: 'oak-trust',
  collection: 'members',
  id: 'm-7',
  version: 4711,
  changed: ['Email', 'Postcode'],
}

const describeHeader = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
})

/** The `webhooks` of the OpenAPI document. */
export const openApiWebhooks = {
  recordChanged: {
    post: {
      operationId: 'recordChanged',
      summary: 'A record has changed',
      'x-addition': true,
      description:
        'Sent to the webhooks that administrators add on the dashboard, as Standard Webhooks specifies: at least once, in order for each record, with a `webhook-id` that stays the same on retries. The message names the record and the changed fields without their values: read those from the API.',
      security: [],
      parameters: [
        describeHeader(
          'webhook-id',
          'The id of the message: the same on every retry.',
          'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
        ),
        describeHeader(
          'webhook-timestamp',
          'The time of the attempt, in seconds since 1970.',
          '1773480600',
        ),
        describeHeader(
          'webhook-signature',
          '`v1,` and the HMAC-SHA256, in Base64, of `<webhook-id>.<webhook-timestamp>.<body>`; for a day after the secret is rotated, two signatures separated by a space.',
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
                    'The kind of record and what happened to it, or the type of a test message.',
                  examples: ['member.updated'],
                },
                timestamp: {
                  type: 'string',
                  format: 'date-time',
                  description: 'When the record changed, in UTC.',
                  examples: ['2026-03-14T09:30:00.000Z'],
                },
                data: {
                  description: 'The organisation and the record that changed.',
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
                      type: 'string',
                      enum: collectionNames,
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
                      description: 'Greater than the version of every earlier change.',
                      examples: [4711],
                    },
                    changed: {
                      type: 'array',
                      items: { type: 'string' },
                      description:
                        'The ids of the fields of a person, or the properties of another record, that changed since the last message: all with a value after a creation, none after a deletion.',
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
        '204': { description: 'Any 2xx: the message is delivered.' },
        '410': { description: 'The webhook is disabled and receives no more messages.' },
        '429': {
          description: 'Retried after the time in `Retry-After`. Any other status is retried too.',
        },
      },
    },
  },
} as const
