import { ApiError } from '../model/api-error.ts'
import type { Kind, Schema } from '../model/schema.ts'
import { inTime } from '../platform/in-time.ts'
import { type Misfit, misfitsOf, withoutMisfits } from '../records/schema-change.ts'
import { listAudit } from '../store/audit.ts'
import { extentOf } from '../store/held-values.ts'
import { documentsOf } from '../store/people.ts'
import { replaceSchema, schemasOf } from '../store/schemas.ts'
import type { Store } from '../store/store.ts'

/** What somebody can do with the schemas of one organisation, and of no other. */
export type OrganisationSchemas = ReturnType<typeof organisationSchemas>

/** A schema of a kind to be kept in place of the one before, what was done to it in words, and to which field. */
export type ChangedSchema = {
  kind: Kind
  before: Schema | undefined
  next: Schema
  act: string
  target: string
}

/** A change that was looked at: what of people's values it leaves without a place, as of a version of the organisation. */
export type Examined = { misfits: readonly Misfit[]; version: number }

/** How many people a change may take values from in one go, and how many there may be to look at. */
export const mostDropped = 250
const mostLookedAt = 200_000

// A value may have 2 MB in D1, and these go into one.
const mostCharacters = 1_500_000

/** The schemas of one organisation, for `by` to look at and change. */
export const organisationSchemas = (d1: D1Database, store: Store, by: string) => {
  const { organisationId } = store
  return {
    list: () => inTime(schemasOf(d1, organisationId)),
    audit: () => listAudit(d1, organisationId),

    /** What people have that a change leaves without a place. Throws 409 where there are too many people to look at here. */
    async examine({ kind, before, next }: ChangedSchema): Promise<Examined> {
      const { last, version } = await inTime(extentOf(d1, { organisationId, collection: kind }))
      if (last > mostLookedAt)
        throw new ApiError(
          'CONFLICT',
          `There are too many ${kind} to look at here: change the schema with the command line, by \`npm run admin -- import\` with schemas.json.`,
        )
      const misfits = await misfitsOf(d1, { organisationId, kind, last }, { before, next })
      return { misfits, version }
    },

    /** Makes a change that was examined, and removes what it leaves without a place; false where the schema or the people are others by now. */
    async change(change: ChangedSchema, { misfits, version }: Examined): Promise<boolean> {
      const { kind, act, target } = change
      const ids = idsToChange(misfits)
      const kept = ids.length > 0 ? await inTime(documentsOf(d1, organisationId, kind, ids)) : []
      const fitted = withoutMisfits(kind, change)
      const people = kept.map(({ id, document }) => ({ id, document: fitted(document) }))
      if (ids.length > mostDropped || JSON.stringify(people).length > mostCharacters)
        throw new ApiError('CONFLICT', tooManyToChange(kind))
      const done = await inTime(
        replaceSchema(d1, {
          ...{ ...change, version, people, author: store.author },
          act: { organisationId, actor: by, act, target },
        }),
      )
      store.followed ||= done?.followed === true && people.length > 0
      return done !== undefined
    },
  }
}

/** The people whom a change takes something from. */
export const idsToChange = (misfits: readonly Misfit[]): string[] => [
  ...new Set(
    misfits
      .filter(({ reason }) => reason !== 'option' && reason !== 'shared')
      .flatMap(({ ids }) => ids),
  ),
]

/** What somebody is told who would take values from too many people at once. */
export const tooManyToChange = (kind: Kind) =>
  `This would take values from more than ${mostDropped} ${kind}. Whoever operates the service can do it with the command line: \`npm run admin -- import\` with schemas.json and --drop-values.`
