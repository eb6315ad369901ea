import type { Context } from 'hono'
import { ApiError, isErrorOf } from '../../../model/api-error.ts'
import type { FilterExpression } from '../../../model/query/filter-expression.ts'
import { references } from '../../../model/references.ts'
import { RunningImport } from '../../../store/imports/running-import.ts'
import { type CollectionInfo, describeCollection } from '../../collection/collection-info.ts'
import { describeCount } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { undoPath } from '../../ui/paths.ts'
import { renderActionPage } from './action-page.tsx'
import { finishAction } from './finish.tsx'
import { loadNames, maxDeleted, readIds, requireAtMost, type SubmittedFields } from './selection.ts'

type Input = { c: Context<DashboardEnv>; collection: CollectionInfo; fields: SubmittedFields }

const maxNames = 10

/** Asks for confirmation, with the names of the records and the records that go with them. */
export async function renderDeleteSelected({ c, collection, fields }: Input) {
  const ids = readIds(fields)
  const [names, dependents] = await Promise.all([
    loadNames(c, collection, ids.slice(0, maxNames)),
    countDependents(c, collection.name, ids),
  ])
  const listed = [...names.values()]
  const others = ids.length - listed.length
  return renderActionPage({
    c,
    collection,
    ids,
    action: 'delete',
    isDangerous: true,
    title: `Delete ${describeCount({ collection, total: ids.length })}`,
    saveLabel: 'Delete',
    children: (
      <>
        <ul>
          {listed.map((title) => (
            <li>{title}</li>
          ))}
          {others > 0 && <li>and {describeCount({ collection, total: others })} more</li>}
        </ul>
        {dependents.map(({ text, isDeleted }) => (
          <p>
            {isDeleted ? `Deleted with the selected: ${text}.` : `Kept, without the link: ${text}.`}
          </p>
        ))}
      </>
    ),
  })
}

/** Deletes the selected records and the dependent ones, and can be undone. A record that no longer exists counts as deleted. */
export async function deleteSelected({ c, collection, fields }: Input) {
  const ids = readIds(fields)
  requireAtMost(ids.length, maxDeleted)
  const records = await c.var.openRecords()
  const { name } = collection
  const run = new RunningImport(c.var.store, {
    collection: name,
    through: 'edit',
    isDeletion: true,
  })
  const source = await run.source()
  const failed = new Map<string, string>()
  let deleted = 0
  for (const id of ids) {
    try {
      await records.delete(collection.resource, id, {}, { cascade: true, source })
      deleted++
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isErrorOf(error, 'FORBIDDEN', 'UNAUTHORIZED', 'UNAVAILABLE')) throw error
      if (!isErrorOf(error, 'NOT_FOUND')) failed.set(id, error.message)
    }
  }
  if (deleted === 0) await run.discard()
  else await run.finish({ created: 0, updated: 0, unchanged: 0, rejected: failed.size, deleted })
  return finishAction(c, collection, {
    action: 'Deleted',
    done: ids.length - failed.size,
    unchanged: 0,
    failed,
    undo: deleted > 0 && source.import !== undefined ? undoPath(c, source.import) : undefined,
  })
}

/** Counts the records that refer to the selected ones, by collection and by their fate. */
async function countDependents(c: Context<DashboardEnv>, name: string, ids: readonly string[]) {
  const byCollection = Map.groupBy(
    references.filter(({ to }) => to === name),
    ({ from }) => from,
  )
  const groups = await Promise.all(
    [...byCollection].map(async ([from, ofCollection]) => {
      const dependents = await describeCollection(c, from)
      const literals = ids.map((value) => ({ type: 'text', value }) as const)
      const parts = ofCollection.map(({ path }): FilterExpression => ({ name: path, literals }))
      const options = { filter: { or: parts }, orderBy: [], isCounted: true }
      const { total = 0 } = await dependents.list.page(c.var.store, {
        limit: 0,
        offset: 0,
        filters: [],
        options,
      })
      return {
        total,
        text: describeCount({ collection: dependents, total }),
        isDeleted: ofCollection.some(({ optional }) => !optional),
      }
    }),
  )
  return groups.filter(({ total }) => total > 0)
}
