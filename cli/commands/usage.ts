import { type Command, InvalidArgumentError } from 'commander'
import { readUsage } from '../../src/admin/usage.ts'
import { formatCount } from '../../src/import/infer/parsing.ts'
import { databaseAction } from './action.ts'
import { requireOrganisation } from './organisations.ts'

/** `usage`: lists requests and records per key (additions 5). */
export function usageCommand(program: Command): void {
  program
    .command('usage <organisation>')
    .description('List the requests of each key and the records it received, by day.')
    .option('--days <number>', 'the number of days, including today', parseDays, 30)
    .action(
      databaseAction<{ days: number }>(async ({ DB }, [organisationId = ''], { days }) => {
        await requireOrganisation(DB, organisationId)
        const usage = await readUsage(DB, organisationId, { days, daily: true })
        return {
          json: { usage },
          lines: usage.map(({ day, keyId, key, collection, requests, records }) => {
            const counts = `${formatCount(requests, 'request')}, ${formatCount(records, 'record')}`
            return `${day}  ${key ?? `a deleted key, ${keyId}`}  ${collection}  ${counts}`
          }),
        }
      }),
    )
}

function parseDays(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= 400) return number
  throw new InvalidArgumentError('It must be a whole number from 1 to 400.')
}
