import type { Command } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { restoreRecordAsOperator } from '../../src/admin/restore-record.ts'
import { describeAuthor } from '../../src/model/author.ts'
import { collectionNames, formatRecordCount } from '../../src/model/collection.ts'
import { findCollection } from '../../src/resources/resources.ts'
import { readVersions } from '../../src/store/history/versions.ts'
import { CommandError } from '../terminal/report.ts'
import { organisationAction } from './action.ts'

/** `record versions` and `record restore`. */
export function recordCommands(program: Command): void {
  const record = program.command('record').description('List and restore previous versions.')
  record
    .command('versions <organisation> <collection> <id>')
    .description('List the previous versions of a record, newest first, even if it was deleted.')
    .action(
      organisationAction(async ({ DB }, [organisationId = '', name = '', id = '']) => {
        const { name: collection } = await requireType(name)
        const { versions } = await readVersions(operatorStore(DB, organisationId), {
          collection,
          id,
        })
        if (versions.length === 0)
          throw new CommandError(`${organisationId} has no previous version of ${id} in ${name}.`)
        return {
          json: {
            versions: versions.map(({ document, author, key, ...version }) => ({
              ...version,
              by: describeAuthor(author, key),
              record: JSON.parse(document),
            })),
          },
          lines: versions.map(({ version, at, change, replacedAt, author, key }) =>
            [version, at, `${change} ${replacedAt}`, describeAuthor(author, key)].join('  '),
          ),
        }
      }),
    )
  record
    .command('restore <organisation> <collection> <id> <version>')
    .description('Restore a previous version of a record, as a new change.')
    .option('--cascade', 'also restore what the same deletion or merge did to other records')
    .action(
      organisationAction<{ cascade?: true }>(
        async (
          bindings,
          [organisationId = '', name = '', id = '', version = ''],
          { cascade = false },
        ) => {
          const type = await requireType(name)
          const result = await restoreRecordAsOperator(bindings, organisationId, type, {
            id,
            version: Number(version),
            cascade,
          })
          const restored = Object.entries(result.restored).map(([of, count]) =>
            formatRecordCount(count, of),
          )
          return {
            json: { organisationId, collection: name, id, version: Number(version), ...result },
            lines: [
              `Version ${version} of ${id} restored.`,
              ...(restored.length > 0 ? [`Also restored: ${restored.join(', ')}.`] : []),
              ...result.left.map(
                ({ collection, id }) => `Left, because it changed since: ${collection} ${id}`,
              ),
            ],
          }
        },
      ),
    )
}

async function requireType(collection: string) {
  const loaded = await findCollection(collection)
  if (!loaded)
    throw new CommandError(`${collection}: must be one of: ${collectionNames.join(', ')}.`)
  return loaded.resource
}
