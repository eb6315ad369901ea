import type { Handler } from 'hono'
import * as z from 'zod'
import type { Env } from '../auth/env.ts'
import { type Contract, endpoint, type Valid } from '../http/contract.ts'
import { closedQuery } from '../http/query.ts'
import type { Collection } from '../model/collection.ts'
import { ErrorBody } from '../model/error-body.ts'
import { isHidden } from '../model/hidden-keys.ts'
import { type Kind, kinds } from '../model/schema.ts'
import { words } from '../model/words.ts'
import type { Everything } from '../people/everything.ts'
import { type Layout, layoutOf } from '../people/layout.ts'
import { linkedTo, linking } from '../people/linked.ts'
import { preferred } from '../representations/accept.ts'
import { logged, streamOf } from '../representations/stream.ts'
import { attachment } from '../representations/whole.ts'
import type { Store } from '../store/store.ts'
import { sharedRecords } from './shared.ts'
import { demanded } from './single-route.ts'
import { pathOf, type Subject } from './subject.ts'

const types = { json: 'application/json', zip: 'application/zip' } as const

/** `GET /:id/$everything`: all that is kept of a person, in every collection (additions 5). */
export function everything(subject: Subject & { kind: Kind }, collections: readonly Collection[]) {
  const { kind, singular, id: idName, answer } = subject
  const own = linking(kind, collections)
  const contract = {
    summary: `Get everything of a ${singular}`,
    description: `An addition to the contract. All that is kept of one of the ${kind}: the record, and what names them of ${own.map(({ name }) => words(name)).join(', ')}. As JSON, or as a zip of CSV files with a page of contents in plain words. Whoever else a record names is left out. What the credentials do not see is not in it, and \`withheld\` says so: for an answer to a request for access take a key without limits. That it was asked for is in the audit trail. It breaks off if it cannot be finished.`,
    path: pathOf(subject),
    query: closedQuery({
      $format: z
        .enum(['json', 'zip'], 'must be one of json, zip.')
        .optional()
        .meta({
          description: 'The form of the answer, whatever the `Accept` header asks for.',
          examples: ['zip'],
        }),
    }),
    organisation: kind === 'members' ? 'record' : 'query',
    answers: {
      200: z.strictObject({
        at: z.iso.datetime({ precision: 3 }).meta({
          description: 'When all of this was read, in UTC.',
          examples: ['2025-03-01T09:30:00.000Z'],
        }),
        ...answer.shape,
        otherValues: z.record(z.string(), z.unknown()).meta({
          description: 'Values of fields that the schema has no more, by the id of the field.',
          examples: [{ Nickname: 'Mara' }],
        }),
        ...Object.fromEntries(
          own.map(({ name, plural, record }) => [
            plural,
            z.array(record).meta({
              description: `The ${words(name)} that name them, as their list shows them.`,
            }),
          ]),
        ),
        shared: sharedRecords(
          'Those of these records that are of others too. What is written in them may speak of the others: read it before you hand it over.',
        ),
        withheld: z.array(z.string()).meta({
          description: 'What is kept from these credentials, in sentences; empty if nothing is.',
          examples: [['Case notes that are private are left out.']],
        }),
      }),
      404: ErrorBody,
    },
    tables: { [types.zip]: 'PK…' },
  } satisfies Contract
  const handler: Handler<Env, string, Valid<typeof contract>> = async (c) => {
    const id = String(c.req.param(idName))
    const whole = await everythingOf(c.var.store, subject, id, collections)
    const form = c.req.valid('query').$format ?? preferred(types, c.req.header('Accept'))
    const { everythingFiles, everythingJson } = await import('../representations/everything.ts')
    if (form === 'json') {
      const body = streamOf(everythingJson(whole), logged(c))
      return new Response(body, { headers: { 'Content-Type': types.json } })
    }
    const { zipOf } = await import('../representations/zip.ts')
    return new Response(zipOf(everythingFiles(whole), logged(c)), {
      headers: {
        'Content-Type': types.zip,
        'Content-Disposition': attachment(c, `${singular}-${id}`, 'zip'),
      },
    })
  }
  return [endpoint(contract), handler] as const
}

/** All that is kept of a person, which the audit trail notes. Throws 404 where there is none with this id, 403 where it is another organisation's member. */
export async function everythingOf(
  store: Store,
  subject: Subject & { kind: Kind },
  id: string,
  collections: readonly Collection[],
): Promise<Everything> {
  const { kind } = subject
  const { organisationId } = store
  const found = await demanded(store, subject, id)
  const { document } = found.kept
  const layout = layoutOf(found.schema)
  return {
    ...linkedTo(store, kind, id, collections),
    ...{ kind, id, document, layout },
    shown: subject.show({ id, organisationId, document, found, profileFields: undefined }),
    // Without its field, nobody can tell whether a value is to be kept from somebody.
    otherValues: store.view.limits.without ? {} : otherValuesIn(document, kind, layout),
    organisation: await store.noteExport(kind, id),
    at: new Date().toISOString(),
  }
}

function otherValuesIn(document: string, kind: Kind, { ids }: Layout): Record<string, unknown> {
  const entries = Object.entries<unknown>(JSON.parse(document)).filter(
    ([name]) => name !== kinds[kind].id && !ids.has(name) && !isHidden(name),
  )
  return Object.fromEntries(entries)
}
