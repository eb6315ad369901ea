import { ApiError } from '../../model/api-error.ts'
import type { Kind, Schema } from '../../model/properties/schema.ts'
import { findMisfits, type Misfit, misfitRemover } from '../../records/schema/schema-change.ts'
import { readLastOrdinal } from '../../store/read/field-values.ts'
import { readSchemas, replaceSchema } from '../../store/settings/schemas.ts'
import type { Audit } from '../../store/terms.ts'
import { readPeopleDocuments } from '../../store/write/people.ts'
import type { Administration } from './administration.ts'

/** A new schema of a kind, with the entry of the audit log. */
export type SchemaUpdate = {
  kind: Kind
  before: Schema | undefined
  next: Schema
  audit: Audit
}

/** The values that a schema change would remove, at a version of the organisation. */
export type SchemaCheck = { misfits: readonly Misfit[]; version: number }

/** The maximum number of people who may lose values in a change. */
export const maxChangedPeople = 250

/** The maximum number of people to examine for a change. */
const maxPeopleChecked = 200_000

// All changed people are written as one value, and D1 limits a value to 2 MB.
const maxCharacters = 1_500_000

/** The operations on an organisation's schemas. `DB` in the bindings of an administration is the database that has the organisation. */
export const organisationSchemas = ({
  bindings: { DB: d1 },
  store,
}: Pick<Administration, 'bindings' | 'store'>) => {
  const { organisationId } = store
  return {
    list: () => readSchemas(d1, organisationId),

    /** The values that a change would remove. Throws 409 if there are too many people to examine. */
    async check({ kind, before, next }: SchemaUpdate): Promise<SchemaCheck> {
      const { last, version } = await readLastOrdinal(d1, { organisationId, collection: kind })
      if (last > maxPeopleChecked)
        throw new ApiError(
          'CONFLICT',
          `There are too many ${kind} to look at here: change the schema with the command line, by \`npm run admin -- import\` with schemas.json.`,
        )
      const misfits = await findMisfits(d1, { organisationId, kind, last }, { before, next })
      return { misfits, version }
    },

    /** Applies a checked change and removes its misfits. Returns false if the schema or the people have changed since the check. */
    async change(change: SchemaUpdate, { misfits, version }: SchemaCheck): Promise<boolean> {
      const { kind } = change
      const ids = affectedIds(misfits)
      const currentPeople =
        ids.length > 0 ? await readPeopleDocuments(d1, organisationId, kind, ids) : []
      const removeMisfits = misfitRemover(kind, change)
      const people = currentPeople.map(({ id, document }) => ({
        id,
        document: removeMisfits(document),
      }))
      if (ids.length > maxChangedPeople || JSON.stringify(people).length > maxCharacters)
        throw new ApiError('CONFLICT', tooManyPeople(kind))
      return replaceSchema(store, { ...change, version, people })
    },
  }
}

/** The ids of the people who lose values in a change. A value that is no option any more, or that several people have in a unique field, stays. */
export const affectedIds = (misfits: readonly Misfit[]): string[] => [
  ...new Set(
    misfits
      .filter(({ reason }) => reason !== 'option' && reason !== 'shared')
      .flatMap(({ ids }) => ids),
  ),
]

/** The message for a change that would remove values from too many people. */
export const tooManyPeople = (kind: Kind) =>
  `This would take values from more than ${maxChangedPeople} ${kind}. The operator of the service can do it with the command line: \`npm run admin -- import\` with schemas.json and --drop-values.`
