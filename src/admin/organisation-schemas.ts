import { ApiError } from '../model/api-error.ts'
import type { Kind, Schema } from '../model/schema.ts'
import { withTimeout } from '../platform/timeout.ts'
import { findMisfits, type Misfit, withoutMisfits } from '../records/schema-change.ts'
import { listAudit } from '../store/audit-log.ts'
import { lastOrdinal } from '../store/read/field-values.ts'
import { readSchemas, replaceSchema } from '../store/schemas.ts'
import type { Store } from '../store/store.ts'
import { peopleDocuments } from '../store/write/people.ts'

/** What somebody can do with the schemas of one organisation, and of no other. */
export type OrganisationSchemas = ReturnType<typeof organisationSchemas>

/** A schema of a kind to be kept in place of the one before, what was done to it in words, and to which field. */
export type SchemaUpdate = {
  kind: Kind
  before: Schema | undefined
  next: Schema
  act: string
  target: string
}

/** A change that was looked at: what of people's values it leaves without a place, as of a version of the organisation. */
export type SchemaCheck = { misfits: readonly Misfit[]; version: number }

/** How many people a change may take values from in one go, and how many there may be to look at. */
export const maxChangedPeople = 250
const maxPeopleChecked = 200_000

// A value may have 2 MB in D1, and these go into one.
const maxCharacters = 1_500_000

/** The schemas of one organisation, for `by` to look at and change. */
export const organisationSchemas = (d1: D1Database, store: Store, by: string) => {
  const { organisationId } = store
  return {
    list: () => withTimeout(readSchemas(d1, organisationId)),
    audit: () => listAudit(d1, organisationId),

    /** What people have that a change leaves without a place. Throws 409 where there are too many people to look at here. */
    async check({ kind, before, next }: SchemaUpdate): Promise<SchemaCheck> {
      const { last, version } = await withTimeout(
        lastOrdinal(d1, { organisationId, collection: kind }),
      )
      if (last > maxPeopleChecked)
        throw new ApiError(
          'CONFLICT',
          `There are too many ${kind} to look at here: change the schema with the command line, by \`npm run admin -- import\` with schemas.json.`,
        )
      const misfits = await findMisfits(d1, { organisationId, kind, last }, { before, next })
      return { misfits, version }
    },

    /** Makes a change that was examined, and removes what it leaves without a place; false where the schema or the people are others by now. */
    async change(change: SchemaUpdate, { misfits, version }: SchemaCheck): Promise<boolean> {
      const { kind, act, target } = change
      const ids = affectedIds(misfits)
      const currentPeople =
        ids.length > 0 ? await withTimeout(peopleDocuments(d1, organisationId, kind, ids)) : []
      const removeMisfits = withoutMisfits(kind, change)
      const people = currentPeople.map(({ id, document }) => ({
        id,
        document: removeMisfits(document),
      }))
      if (ids.length > maxChangedPeople || JSON.stringify(people).length > maxCharacters)
        throw new ApiError('CONFLICT', tooManyPeople(kind))
      const result = await withTimeout(
        replaceSchema(d1, {
          ...{ ...change, version, people, author: store.author },
          act: { organisationId, actor: by, act, target },
        }),
      )
      store.hasWebhooks ||= result?.followed === true && people.length > 0
      return result !== undefined
    },
  }
}

/** The people whom a change takes something from. */
export const affectedIds = (misfits: readonly Misfit[]): string[] => [
  ...new Set(
    misfits
      .filter(({ reason }) => reason !== 'option' && reason !== 'shared')
      .flatMap(({ ids }) => ids),
  ),
]

/** What somebody is told who would take values from too many people at once. */
export const tooManyPeople = (kind: Kind) =>
  `This would take values from more than ${maxChangedPeople} ${kind}. Whoever operates the service can do it with the command line: \`npm run admin -- import\` with schemas.json and --drop-values.`
