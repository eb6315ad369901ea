import type { Command } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { describeAuthor } from '../../src/model/author.ts'
import { collectionTitle } from '../../src/model/collection.ts'
import { formatNumber } from '../../src/platform/format-number.ts'
import { summariseUndo, undoImport } from '../../src/records/undo/undo-import.ts'
import { loadCollection } from '../../src/resources/resources.ts'
import { listImports, readImport, type StoredImport } from '../../src/store/imports/list-imports.ts'
import { startProgressBar } from '../terminal/progress.ts'
import { CommandError } from '../terminal/report.ts'
import { organisationAction } from './action.ts'

const maxListed = 100

/** `imports list` and `imports undo`. */
export function importsCommands(program: Command): void {
  const imports = program
    .command('imports')
    .description('List imports and bulk edits, and undo one.')
  imports
    .command('list <organisation>')
    .description(`List the last ${maxListed} imports, newest first.`)
    .action(
      organisationAction(async ({ DB }, [organisationId = '']) => {
        const list = await listImports(operatorStore(DB, organisationId), { limit: maxListed })
        return {
          json: { imports: list.map(toJson) },
          lines: list.length > 0 ? list.map(formatImport) : ['There are no imports.'],
        }
      }),
    )
  imports
    .command('undo <organisation> <id>')
    .description('Revert the records of an import that nobody has changed since.')
    .action(
      organisationAction(async ({ DB, GEOGRAPHY }, [organisationId = '', number = '']) => {
        const id = Number(number)
        if (!Number.isSafeInteger(id)) throw new CommandError(`${number}: must be a whole number.`)
        const store = operatorStore(DB, organisationId)
        const findType = async (name: string) => (await loadCollection(name)).resource
        const bar = startProgressBar('Undoing')
        const options = { maxRecords: Number.MAX_SAFE_INTEGER, progress: bar.update }
        const undoing = undoImport({ store, geography: GEOGRAPHY, findType }, id, options)
        const { records: left } = await undoing.finally(bar.stop)
        const { undo } = await readImport(store, id)
        const total = undo ? summariseUndo(undo) : { reverted: 0, left: 0 }
        return {
          json: { organisationId, id, reverted: total.reverted, left },
          lines: [
            `Import ${id} is undone: ${formatNumber(total.reverted)} records reverted, ${formatNumber(total.left)} left.`,
            ...left.map(
              ({ collection, id, reason }) => `Left, ${reasons[reason]}: ${collection} ${id}`,
            ),
          ],
        }
      }),
    )
}

const reasons = {
  changed: 'because it changed since',
  deleted: 'because it was deleted since',
  referenced: 'because other records refer to it',
  invalid: 'because its previous version is no longer valid',
}

const toJson = ({ ordinals: _, undo, author, key, ...stored }: StoredImport) => ({
  ...stored,
  by: describeAuthor(author, key),
  undo: undo && summariseUndo(undo),
})

function formatImport({
  id,
  at,
  collection,
  file,
  edited,
  deleted,
  author,
  key,
  counts,
  undone,
}: StoredImport) {
  const { created, updated, unchanged, rejected } = counts
  return [
    id,
    at,
    `${file ?? edited ?? `${deleted === null ? '' : 'deletion of '}${collectionTitle(collection)}`} (${collection})`,
    `${created} created, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected`,
    describeAuthor(author, key),
    ...(undone ? [`undone ${undone}`] : []),
  ].join('  ')
}
