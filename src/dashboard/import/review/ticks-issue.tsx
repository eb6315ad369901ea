import { possibleYears } from '../../../import/parse/heading-days.ts'
import { formatShortDay } from '../../../model/dates.ts'
import { londonDay } from '../../../model/timestamp.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { Picker } from '../../collection/picker.tsx'
import { Checkbox, SelectField } from '../../ui/controls.tsx'
import { eventField } from './event-question.ts'
import { AddMembers } from './file-questions.tsx'
import type { PreparedImport } from './prepare-import.ts'
import { missingDates, type TicksQuestion, ticksFields } from './ticks-question.ts'

type Props = {
  prepared: PreparedImport
  question: TicksQuestion
  addedMembers?: number | undefined
}

/** Renders the questions about a sheet of ticks: its series, its days, its empty cells and its people. */
export function TicksIssue({ prepared, question, addedMembers }: Props) {
  const { opened, mapping } = prepared
  const { c, schemas } = opened
  const { chosen, search, error, empty } = question
  const { ticks = {} } = mapping
  return (
    <div class="issue">
      <Picker
        c={c}
        name={eventField}
        label="Which series do these dates belong to?"
        collection="events"
        chosen={chosen}
        search={search}
        hint="The sheet marks the registers of its dates. Importing it again marks nobody twice."
        error={error}
      />
      <ReadDays question={question} />
      <fieldset class="field-grid">
        <legend class="visually-hidden">How the sheet is read</legend>
        <DayFields question={question} ticks={ticks} />
        {empty > 0 && (
          <SelectField
            label="What does an empty cell mean?"
            name={ticksFields.empty}
            options={[
              choose,
              { value: 'absent', label: 'The person did not come' },
              { value: 'not booked', label: 'The person was not booked: leave it out' },
            ]}
            selected={ticks.empty ?? ''}
            help={`${formatCount(empty, 'cell is', 'cells are')} empty.`}
          />
        )}
      </fieldset>
      <input type="hidden" name="sheet.choices" value="marks" />
      {schemas.members && (
        <>
          <Checkbox
            name="sheet.choices"
            value="names"
            checkedValues={ticks.matchesNames ? ['names'] : []}
            label="A person with the name of only one member is that member"
          />
          <AddMembers isChecked={mapping.addsMembers === true} addedMembers={addedMembers} />
        </>
      )}
    </div>
  )
}

type DaysProps = {
  question: TicksQuestion
  ticks: NonNullable<PreparedImport['mapping']['ticks']>
}

/** Renders the days that the headings mean. */
function ReadDays({ question: { days } }: Pick<DaysProps, 'question'>) {
  if (!days) return null
  const { reading, missing, canCreate } = days
  return (
    <p>
      The dates are read as {listDays(reading.days)}. {missing.length === 0 && 'Each has an event.'}
      {missing.length > 0 &&
        !canCreate &&
        `Left out, because the event is on another day: ${listDays(missing)}.`}
    </p>
  )
}

/** Renders the order and year of the days, and the choice for days without an event. */
function DayFields({ question: { days, hasOrders, hasYears }, ticks }: DaysProps) {
  if (!days) return null
  const { reading, missing, canCreate } = days
  const years = possibleYears(londonDay(Date.now()))
  return (
    <>
      {hasOrders && (
        <SelectField
          label="Order of day and month"
          name={ticksFields.order}
          options={[
            choose,
            { value: 'day-first', label: 'Day first: 3/4 is 3 April' },
            { value: 'month-first', label: 'Month first: 3/4 is 4 March' },
          ]}
          selected={ticks.order ?? ''}
        />
      )}
      {hasYears && (
        <SelectField
          label="Year of the earliest date"
          name={ticksFields.year}
          options={years.map((year) => ({ value: String(year), label: String(year) }))}
          selected={String(reading.year ?? '')}
        />
      )}
      {missing.length > 0 && canCreate && (
        <SelectField
          label={`${formatCount(missing.length, 'date has', 'dates have')} no event`}
          name={ticksFields.dates}
          options={[
            choose,
            { value: missingDates.create, label: 'Add to the series' },
            { value: missingDates.leaveOut, label: 'Leave out' },
          ]}
          selected={formatMissing(ticks.createsDates)}
          help={`${listDays(missing)}. A new date has the time of the nearest one.`}
        />
      )}
    </>
  )
}

const maxListed = 12

function listDays(days: readonly string[]): string {
  const listed = days.slice(0, maxListed).map(formatShortDay).join(', ')
  return days.length > maxListed ? `${listed} and ${days.length - maxListed} more` : listed
}

const choose = { value: '', label: 'Choose' }

function formatMissing(createsDates: boolean | undefined): string {
  if (createsDates === undefined) return ''
  return createsDates ? missingDates.create : missingDates.leaveOut
}
