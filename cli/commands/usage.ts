import { type Command, InvalidArgumentError } from 'commander'
import { usageOf } from '../../src/auth/usage.ts'
import { counted } from '../../src/import/tabular/reading.ts'
import { action } from './action.ts'
import { demandOrganisation } from './organisations.ts'

/** `usage`: how an organisation's keys were used (additions 5). */
export function usageCommand(program: Command): void {
  program
    .command('usage <organisation>')
    .description('List what each key asked for, and how many records it was given, day by day.')
    .option('--days <number>', 'of how many days, today included', days, 30)
    .action(
      action<{ days: number }>(async ({ DB }, [organisationId = ''], { days }) => {
        await demandOrganisation(DB, organisationId)
        const usage = await usageOf(DB, organisationId, { days, daily: true })
        return {
          json: { usage },
          lines: usage.map(({ day, keyId, key, collection, requests, records }) => {
            const counts = `${counted(requests, 'request')}, ${counted(records, 'record')}`
            return `${day}  ${key ?? `a deleted key, ${keyId}`}  ${collection}  ${counts}`
          }),
        }
      }),
    )
}

function days(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= 400) return number
  throw new InvalidArgumentError('It must be a whole number from 1 to 400.')
}
