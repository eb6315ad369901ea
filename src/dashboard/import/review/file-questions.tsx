import { eventQuestion } from '../../../import/targets/require-parent.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { Picker } from '../../collection/picker.tsx'
import { Checkbox, Select } from '../../ui/controls.tsx'
import { buildTargetOptions, leftOutByChoice, newField } from './column-targets.ts'
import { eventField } from './event-question.ts'
import type { PreparedImport } from './prepare-import.ts'

type Props = { prepared: PreparedImport }

/** Renders the question for the event of a sign-in sheet, and for what it does besides bookings. */
export function EventIssue({
  prepared,
  addedMembers,
}: Props & { addedMembers?: number | undefined }) {
  const { event, mapping, opened } = prepared
  if (!event) return null
  const { c, schemas } = opened
  const hasColumn = mapping.columns.some(({ field }) => field === 'attending')
  return (
    <div class="issue">
      <Picker
        c={c}
        name={eventField}
        label={eventQuestion}
        collection="events"
        chosen={event.chosen}
        search={event.search}
        hint="No column names the event. Next week’s sheet does not change these bookings."
        error={event.error}
      />
      <input type="hidden" name="sheet.choices" value="" />
      <Checkbox
        name="sheet.choices"
        value="marks"
        checkedValues={mapping.marksAttendance ? ['marks'] : []}
        label={
          hasColumn
            ? 'Mark on the register who came'
            : 'Mark everybody on the register as having come'
        }
      />
      {schemas.members && (
        <AddMembers isChecked={mapping.addsMembers === true} addedMembers={addedMembers} />
      )}
    </div>
  )
}

/** Renders the choice to add the people of a sheet as members. */
export const AddMembers = ({
  isChecked,
  addedMembers,
}: {
  isChecked: boolean
  addedMembers: number | undefined
}) => (
  <Checkbox
    name="sheet.choices"
    value="members"
    checkedValues={isChecked ? ['members'] : []}
    label={`Add people who came and have no record as members${addedMembers ? `: ${formatCount(addedMembers, 'new member')}` : ''}`}
  />
)

/** Renders the question for a column that may hold a consent and fills no field. */
export function ConsentIssue({ prepared, heading }: Props & { heading: string }) {
  const { inspected, mapping, errors, canExtendSchema } = prepared
  const index = inspected.table.headings.indexOf(heading)
  const facts = inspected.tableFacts.columns.get(heading)
  const empty = inspected.tableFacts.rows - (facts?.filled ?? 0)
  const counts = [...(facts?.values.counts ?? [])].slice(0, 6)
  const error = errors[`target.${index}`]
  return (
    <div class="issue">
      <h3>
        Consent: which field is “{heading}”? <span class="tag warn">1 column</span>
      </h3>
      <p>
        {[
          ...counts.map(([text, rows]) => `${text} ${rows}`),
          ...(empty > 0 ? [`empty ${empty}`] : []),
        ]
          .join(', ')
          .concat(counts.length > 0 || empty > 0 ? '. ' : '')}
        A consent column is never left out without your answer.
      </p>
      {error && (
        <span class="error" id={`field-target.${index}-error`}>
          {error}
        </span>
      )}
      <div class="row">
        <Select
          attributes={{
            name: `target.${index}`,
            'aria-label': `Field for ${heading}`,
            ...(error && {
              'aria-invalid': 'true',
              'aria-describedby': `field-target.${index}-error`,
            }),
          }}
          options={[
            { value: '', label: 'Choose a field' },
            ...buildTargetOptions(inspected.targetFields, mapping.collection),
            ...(canExtendSchema ? [{ value: newField, label: 'New field' }] : []),
            { value: leftOutByChoice, label: 'Leave out' },
          ]}
          selected=""
        />
      </div>
    </div>
  )
}
