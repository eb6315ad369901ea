import type { Context } from 'hono'
import { respondWithTable } from '../../formats/table-file.ts'
import type { Cell } from '../../formats/xlsx.ts'
import { ApiError } from '../../model/api-error.ts'
import { type RegisterEntry, readRegister } from '../../sign-up/register/register.ts'
import { recordDownload } from '../../store/audit-log.ts'
import type { DashboardEnv } from '../session/signed-in.ts'

const marks = { attended: 'Came', absent: 'Did not come' } as const

const places: Readonly<Record<RegisterEntry['place'], string>> = {
  held: 'Booked',
  offered: 'Offered a place',
  waiting: 'Waiting',
  'given up': 'Cancelled',
}

const text = (value: string): Cell => ({ text: value, type: 'text' })

/** The columns of a download. The answers to an event's own questions have a last day, so no file has them. */
const columns: Readonly<Record<string, (entry: RegisterEntry) => Cell>> = {
  Name: ({ name }) => text(name),
  Age: ({ age }) => (age === undefined ? text('') : { type: 'number', value: age }),
  State: ({ mark, place }) => text(mark ? marks[mark] : places[place]),
  Contact: ({ contact }) => text(contact?.name ?? ''),
  'E-mail': ({ contact }) => text(contact?.email ?? ''),
  Phone: ({ contact }) => text(contact?.phone ?? ''),
}

/** Downloads the people of an event with their contacts. Throws 404 for a series, and 400 for more bookings than a register shows. */
export async function downloadSignUps(
  c: Context<DashboardEnv>,
  eventId: string,
  format: 'csv' | 'xlsx',
): Promise<Response> {
  const { event, entries, isCut } = await readRegister(c.var.store, eventId)
  if (isCut)
    throw new ApiError(
      'BAD_REQUEST',
      'The event has more bookings than a register shows. Download the list of bookings instead.',
    )
  await recordDownload(c.var.store, 'bookings', format === 'csv' ? 'CSV' : 'Excel')
  return respondWithTable(c, {
    format,
    name: 'sign-ups',
    label: event.name || 'Sign-ups',
    headings: Object.keys(columns),
    rows: pageOf(entries.map((entry) => Object.values(columns).map((cell) => cell(entry)))),
  })
}

async function* pageOf<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
  yield rows
}
