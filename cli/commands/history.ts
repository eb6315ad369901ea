import type { Command } from 'commander'
import { authorInWords } from '../../src/model/author.ts'
import { operatorStore } from '../../src/operator/store.ts'
import { historyOf } from '../../src/store/history.ts'
import { Refusal } from '../terminal/refusal.ts'
import { action } from './action.ts'
import { demandOrganisation } from './organisations.ts'

/** `history`: who changed which fields of a record, and when (additions 5). */
export function historyCommand(program: Command): void {
  program
    .command('history <organisation> <collection> <id>')
    .description(
      'List who made, changed and deleted a record, and when: names of fields, no value.',
    )
    .action(
      action(async ({ DB }, [organisationId = '', collection = '', id = '']) => {
        await demandOrganisation(DB, organisationId)
        const history = await historyOf(operatorStore(DB, organisationId), collection, id)
        if (history.length === 0)
          throw new Refusal(
            `There is no ${id} among the ${collection} of ${organisationId}, and was none lately.`,
          )
        return {
          json: { history },
          lines: history.map(({ at, change, author, key, fields }) =>
            [
              at,
              [change, fields.join(', ')].filter(Boolean).join(' '),
              authorInWords(author, key),
            ].join('  '),
          ),
        }
      }),
    )
}
