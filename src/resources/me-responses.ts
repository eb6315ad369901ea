import * as z from 'zod'
import { permissions } from '../access/permissions.ts'
import { restrictionsType } from '../access/restrictions.ts'
import { roles } from '../access/roles.ts'
import { maxBodyBytes } from '../http/body.ts'
import { defaultLimit, maxLimit } from '../http/query.ts'

/* The types of responses of `GET /me`. Separate, because reads do not load Zod. */

const Organisation = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the organisation.', examples: ['oak-trust'] }),
    name: z.string().meta({ description: 'The name that people read.', examples: ['Oak Trust'] }),
  })
  .meta({ description: 'The organisation of the credential.' })

const Key = z.strictObject({
  kind: z.literal('key').meta({ description: 'An API key.' }),
  id: z.string().meta({
    description: 'The id of the key, for the command line.',
    examples: ['3f1c2b7e-58a4-4a0e-9d53-0c6b1f1f7a11'],
  }),
  name: z.string().meta({ description: 'What the key is for.', examples: ['Power BI'] }),
  prefix: z.string().meta({ description: 'Its first 8 characters.', examples: ['sk_7Gq2a'] }),
  expires: z
    .string()
    .nullable()
    .meta({
      description: 'The time after which the key is rejected; null for a key that does not expire.',
      examples: ['2027-01-31T23:59:59.999Z'],
    }),
})

const Person = z.strictObject({
  kind: z.literal('person').meta({ description: 'A person with a token.' }),
  email: z.string().meta({
    description: 'The address with which the organisation added the person.',
    examples: ['ana@example.org'],
  }),
  role: z.enum(roles).meta({ description: 'The role in this organisation.', examples: ['editor'] }),
})

const Restrictions = restrictionsType((values) =>
  z.array(values ? z.enum(values) : z.string()),
).meta({ description: 'The restrictions; an absent one restricts nothing.' })

const Limits = z
  .strictObject({
    requests: z
      .strictObject({
        max: z.int().meta({ description: 'The number of requests.', examples: [6000] }),
        seconds: z.int().meta({ description: 'The period, in seconds.', examples: [60] }),
      })
      .optional()
      .meta({ description: 'The maximum number of requests in a period.' }),
    page: z
      .strictObject({
        default: z
          .int()
          .meta({ description: 'The number without `limit`.', examples: [defaultLimit] }),
        max: z.int().meta({ description: 'The greatest `limit`.', examples: [maxLimit] }),
      })
      .meta({ description: 'The number of records in a page of a list.' }),
    bodyBytes: z.int().meta({
      description: 'The maximum size of a request body in bytes, except an imported file.',
      examples: [maxBodyBytes],
    }),
  })
  .meta({ description: 'The limits of requests.' })

export const meResponses = {
  200: z.strictObject({
    me: z
      .strictObject({
        organisation: Organisation,
        credential: z.union([Key, Person]).meta({ description: 'The key or the person.' }),
        permissions: z.array(z.enum([...permissions, 'take-registers'])).meta({
          description: 'What the credential may do; `write` includes `take-registers`.',
          examples: [['read', 'create-members']],
        }),
        restrictions: Restrictions,
        limits: Limits,
      })
      .meta({ description: 'The credential, with its organisation, access and limits.' }),
  }),
}
