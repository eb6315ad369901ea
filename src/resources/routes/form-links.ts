import { route } from '../../auth/route.ts'
import { ErrorBody } from '../../http/error-bodies.ts'
import { closedQuery } from '../../http/query.ts'
import { type Kind, kindNames, kinds } from '../../model/properties/schema.ts'
import { idText } from '../../model/properties/types.ts'
import * as z from '../../model/zod.ts'
import { createFormLinks, formPath, linkFields, maxLinks } from '../../sign-up/forms/form-links.ts'
import { pathParameters, type Resource } from './resource.ts'

const peopleIds = (kind: Kind) =>
  z
    .array(idText(z))
    .max(maxLinks)
    .default([])
    .meta({
      description: `The ids of ${kind} who get a link each.`,
      examples: [[`${kinds[kind].singular}-1`]],
    })

const FormLinkSchema = z
  .strictObject({
    collection: z
      .enum(kindNames)
      .nullable()
      .meta({
        description: 'The collection of the person; null for a link without a person.',
        examples: ['members'],
      }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the person, or null.', examples: ['member-1'] }),
    href: z.string().meta({
      description: 'The address to send to the person. It is shown only once.',
      examples: ['https://data.example.org/o/oak-trust/forms/form-feedback/…'],
    }),
    expires: z.iso.datetime().meta({
      description: 'The time after which the link does not work.',
      examples: ['2026-12-31T00:00:00.000Z'],
    }),
  })
  .meta({ id: 'FormLink' })

/** `POST /forms/:formId/$links`: makes personal links to a form. */
export function makeFormLinks(resource: Resource) {
  return route(
    {
      operationId: 'createFormLinks',
      summary: 'Make personal links to a form',
      description: `Makes 1 to ${maxLinks} links to the form on the organisation's public pages, which must be on. The answers of a link with a person belong to that person. A link works once, unless the form allows several answers, and until it expires: by default until the deadline, but at most 90 days. An anonymous form takes only links without a person. A repeated request makes further links. Needs the \`read\` and \`write\` permissions, and a key must see the people, survey responses and every answer and field that the form asks for, because the link writes them.`,
      isAddition: true,
      path: pathParameters(resource),
      query: closedQuery(),
      body: z.strictObject({
        memberIds: peopleIds('members'),
        volunteerIds: peopleIds('volunteers'),
        partnerIds: peopleIds('partners'),
        withoutPerson: z
          .int('must be a whole number.')
          .min(0, 'must not be negative.')
          .max(maxLinks, `must be at most ${maxLinks}.`)
          .default(0)
          .meta({ description: 'The number of links that belong to nobody.', examples: [0] }),
        expires: z
          .string()
          .optional()
          .meta({
            description: 'The time after which the links do not work, within the next 366 days.',
            examples: ['2026-12-31T00:00:00.000Z'],
          }),
      }),
      responses: () => ({
        201: z.strictObject({
          links: z
            .array(FormLinkSchema)
            .meta({ description: 'The links, in the order of the request.' }),
        }),
        403: ErrorBody,
        404: ErrorBody,
        409: ErrorBody,
        413: ErrorBody,
        415: ErrorBody,
      }),
    },
    async (c) => {
      const { store } = c.var
      const formId = String(c.req.param(resource.id))
      const body = c.req.valid('json')
      const people = Object.fromEntries(
        kindNames.map((kind) => [kind, body[linkFields[kind]]] as const),
      )
      const { withoutPerson, expires } = body
      const links = await createFormLinks(store, formId, { people, withoutPerson, expires })
      return c.json(
        {
          links: links.map(({ person, secret, expires }) => ({
            collection: person?.kind ?? null,
            id: person?.id ?? null,
            href: new URL(formPath(store.organisationId, formId, secret), c.req.url).href,
            expires,
          })),
        },
        201,
      )
    },
  )
}
