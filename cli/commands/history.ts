import type { Command } from 'commander'
import { operatorStore } from '../../src/admin/operator-store.ts'
import { describeAuthor } from '../../src/model/author.ts'
import { listHistory } from '../../src/store/history/list-history.ts'
import { CommandError } from '../terminal/report.ts'
import { organisationAction } from './action.ts'

/** `history`: lists who changed which fields of a record, and when. */
export function historyCommand(program: Command): void {
  program
    .command('history <organisation> <collection> <id>')
    .description(
      'List who created, changed and deleted a record, when, and which fields (without values).',
    )
    .action(
      organisationAction(async ({ DB }, [organisationId = '', collection = '', id = '']) => {
        const history = await listHistory(operatorStore(DB, organisationId), collection, id)
        if (history.length === 0)
          throw new CommandError(
            `${organisationId} has no ${id} in ${collection}, and no recent history of it.`,
          )
        return {
          json: { history },
          lines: history.map(({ at, change, author, key, fields }) =>
            [
              at,
              [change, fields.join(', ')].filter(Boolean).join(' '),
              describeAuthor(author, key),
            ].join('  '),
          ),
        }
      }),
    )
}
