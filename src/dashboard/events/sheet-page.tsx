import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { formatMoment, formatPeriod } from '../../model/dates.ts'
import { formatVenue } from '../../model/venue.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { QrCode } from '../../public/ui/qr-code.tsx'
import type { Register, RegisterEntry } from '../../sign-up/register/register.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { PrintButton } from '../ui/button.tsx'
import { checkboxValues } from '../ui/checkbox-values.ts'
import { PaperPage } from '../ui/paper-page.tsx'
import { registerPath } from '../ui/paths.ts'
import { needsAttention } from './entry-details.tsx'

/** The path of an event's sign-in sheet. */
export const signInSheetPath = (c: Context<DashboardEnv>, eventId: string) =>
  `${registerPath(c, eventId)}/sheet`

const columnNames = ['age', 'contact', 'needs'] as const

/** The columns that a sheet may have besides the name, the box and the signature. */
type SheetColumn = (typeof columnNames)[number]

const labels: Record<SheetColumn, string> = {
  age: 'Age',
  contact: 'Contact',
  needs: 'Allergies and needs',
}

const emptyLines = { 4: '4', 8: '8', 24: 'A whole page' }

const Options = z.object({
  /** Set once somebody has chosen, also no column at all. */
  chosen: z.literal('true').optional(),
  columns: checkboxValues.catch([]),
  lines: z.enum(['4', '8', '24']).catch('4').transform(Number),
})

type SheetProps = { c: Context<DashboardEnv>; register: Register }

/**
 * Renders the sign-in sheet of an event for paper, with its options above. Needs are left out until somebody
 * chooses them, because a sheet is passed around.
 */
export function SheetPage({ c, register }: SheetProps) {
  const { event, organisationName } = register
  const name = event.name || event.eventId
  const {
    chosen,
    columns: ticked,
    lines,
  } = Options.parse({
    ...c.req.query(),
    columns: c.req.queries('columns'),
  })
  const offered = columnNames.filter((column) => column !== 'contact' || can(c, 'read'))
  const columns = offered.filter((column) =>
    chosen ? ticked.includes(column) : column !== 'needs',
  )
  return (
    <PaperPage
      title={`Sign-in sheet of ${name} – ${organisationName}`}
      crumb={{ name, href: registerPath(c, event.eventId) }}
      controls={
        <>
          <h1>Sign-in sheet</h1>
          <form method="get" class="row">
            <input type="hidden" name="chosen" value="true" />
            <fieldset class="row">
              <legend class="visually-hidden">Columns</legend>
              {offered.map((column) => (
                <label class="choice">
                  <input
                    type="checkbox"
                    name="columns"
                    value={column}
                    checked={columns.includes(column)}
                  />
                  <span>{labels[column]}</span>
                </label>
              ))}
            </fieldset>
            <label class="row">
              <span>Empty lines</span>
              <select name="lines">
                {Object.entries(emptyLines).map(([value, label]) => (
                  <option value={value} selected={Number(value) === lines}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <button type="submit" class="button">
              Show
            </button>
            <PrintButton isPrimary />
          </form>
        </>
      }
    >
      <SheetHeader c={c} register={register} />
      {register.isCut && (
        <p>
          <strong>
            Only the first {formatNumber(register.entries.length)} bookings are on this sheet.
          </strong>
        </p>
      )}
      <SheetTable register={register} columns={columns} lines={lines} />
      <Totals register={register} />
      <p class="printed">
        Printed on {formatMoment(new Date().toISOString())}. Shred this sheet after the register is
        entered.
      </p>
    </PaperPage>
  )
}

function SheetHeader({ c, register: { event, organisationName } }: SheetProps) {
  const { eventId, name, start, end, venue } = event
  const place = formatVenue(venue)
  return (
    <header>
      <div>
        <p>{organisationName}</p>
        <h2>{name || eventId}</h2>
        {start && <p>{formatPeriod(start, end).join(', ')}</p>}
        {place !== '' && <p>{place}</p>}
      </div>
      <figure>
        <QrCode
          text={new URL(registerPath(c, eventId), c.req.url).href}
          label="QR code of the register"
        />
        <figcaption>Register, for staff</figcaption>
      </figure>
    </header>
  )
}

type TableProps = { register: Register; columns: readonly SheetColumn[]; lines: number }

function SheetTable({ register: { entries }, columns, lines }: TableProps) {
  const held = entries.filter(({ place }) => place === 'held')
  return (
    <table>
      <caption class="visually-hidden">People who booked</caption>
      <thead>
        <tr>
          <th scope="col" class="number">
            No.
          </th>
          <th scope="col" class="name">
            Name
          </th>
          {columns.map((column) => (
            <th scope="col" class={column}>
              {labels[column]}
            </th>
          ))}
          <th scope="col" class="came">
            Came
          </th>
          <th scope="col">Signature</th>
        </tr>
      </thead>
      <tbody>
        {held.map((entry, index) => (
          <tr>
            <td class="number">{formatNumber(index + 1)}</td>
            <th scope="row">{entry.name}</th>
            {columns.map((column) => (
              <td>{cells[column](entry)}</td>
            ))}
            <Box />
            <td />
          </tr>
        ))}
        {Array.from({ length: lines }, (_, index) => (
          <tr>
            <td class="number">{formatNumber(held.length + index + 1)}</td>
            <td />
            {columns.map(() => (
              <td />
            ))}
            <Box />
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Box = () => (
  <td>
    <span class="box" />
  </td>
)

const cells: Record<SheetColumn, (entry: RegisterEntry) => Child> = {
  age: ({ age }) => (age === undefined ? '' : String(age)),
  contact: ({ name, contact }) => (
    <>
      {contact?.name !== name && `${contact?.name ?? ''} `}
      <span class="phone">{contact?.phone}</span>
    </>
  ),
  needs: ({ answers }) =>
    answers
      .filter(needsAttention)
      .map(({ answer }) => answer)
      .join(', '),
}

function Totals({ register: { entries } }: { register: Register }) {
  const booked = entries.filter(({ place }) => place === 'held').length
  return (
    <dl class="totals">
      {[['Booked', formatNumber(booked)], ['Came'], ['Walk-ins'], ['Volunteers']].map(
        ([label, value]) => (
          <div>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
      <div class="signature">
        <dt>Led by, signature</dt>
        <dd />
      </div>
    </dl>
  )
}
