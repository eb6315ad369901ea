import * as z from 'zod'
import { ErrorBody } from '../http/error-bodies.ts'

/* The types of responses about webhooks. Separate, because reads do not load Zod. */

const webhookId = z.string().meta({
  description: 'The id of the webhook.',
  examples: ['0d9c2a5e-6f0b-4f0e-8a55-6e5f1c0f7b21'],
})

const time = (description: string) =>
  z.string().meta({ description, examples: ['2026-03-14T09:30:00.000Z'] })

const Webhook = z.strictObject({
  webhookId,
  url: z.string().meta({
    description: 'The address that receives the messages.',
    examples: ['https://hooks.example.org/changes'],
  }),
  collections: z
    .array(z.string())
    .meta({ description: 'The collections that it follows.', examples: [['members']] }),
  changes: z
    .array(z.string())
    .meta({ description: 'The changes that it follows.', examples: [['created']] }),
  state: z.enum(['active', 'paused', 'disabled']).meta({
    description: 'An administrator can pause it, and failures disable it.',
    examples: ['active'],
  }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why it was disabled.', examples: ['The receiver answered 410 Gone.'] }),
  created: time('When it was added.'),
  lastSuccess: z
    .string()
    .nullable()
    .meta({
      description: 'When a message was last delivered.',
      examples: ['2026-03-14T09:30:00.000Z'],
    }),
})

const Message = z.strictObject({
  type: z
    .string()
    .meta({ description: 'What happened to which kind of record.', examples: ['member.created'] }),
  timestamp: time('When the record changed.'),
  data: z.record(z.string(), z.unknown()).meta({
    description: 'The organisation, the record and its changed fields.',
    examples: [{ collection: 'members', id: 'm-7' }],
  }),
})

export const webhookResponses = {
  list: {
    200: z.strictObject({
      webhooks: z.array(Webhook).meta({ description: 'The webhooks, oldest first.' }),
    }),
    403: ErrorBody,
  },
  sample: { 200: Message, 403: ErrorBody },
  remove: { 204: null, 403: ErrorBody, 404: ErrorBody },
}
