import type { Context } from 'hono'
import {
  affectedIds,
  maxChangedPeople,
  organisationSchemas,
  tooManyPeople,
} from '../../../admin/organisation/schemas.ts'
import { readFormBody } from '../../../http/body.ts'
import { withoutDerivedFields } from '../../../model/properties/area-fields.ts'
import { toLabel } from '../../../model/properties/compile.ts'
import { type Kind, kinds } from '../../../model/properties/schema.ts'
import { formatNumber } from '../../../platform/format-number.ts'
import { formatCount, pluralise } from '../../../platform/pluralise.ts'
import type { Misfit } from '../../../records/schema/schema-change.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Confirm } from '../../ui/button.tsx'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { recordPath, schemaPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import {
  applyChange,
  findField,
  openSchema,
  removeField,
  type SchemaContext,
  schemaConflictMessage,
  serialiseMisfits,
} from './change.ts'

/** Asks for confirmation before a field is retired and shows its values. */
export async function renderRetirePage(c: SchemaContext, id: string, isConflict = false) {
  const { kind, field, version, change } = await prepareRetirement(c, id)
  const { misfits } = await c.var.administer(organisationSchemas).check(change)
  const resolution = resolveMisfits(kind, misfits)
  const path = schemaPath(c, kind)
  return c.html(
    <Page c={c} title={`Retire ${field.label}`}>
      {isConflict && <p role="alert">{schemaConflictMessage}</p>}
      {misfits.length > 0 && (
        <section>
          <h2>Values in this field</h2>
          <MisfitList c={c} kind={kind} misfits={misfits} />
          {'obstacle' in resolution && <p>{resolution.obstacle}</p>}
        </section>
      )}
      {'confirmLabel' in resolution && (
        <Confirm
          action={`${path}/retire`}
          hidden={{ $id: field.id, $version: version, $misfits: serialiseMisfits(misfits) }}
          confirmLabel={misfits.length > 0 ? 'Retire field and remove its values' : 'Retire field'}
          cancelPath={path}
          cancelLabel="Keep field"
        >
          <p>
            {misfits.length > 0
              ? 'The field and all its values disappear from forms and lists, and for other programs. This cannot be undone.'
              : 'Nobody has a value in this field. It disappears from forms and lists, and for other programs.'}
          </p>
        </Confirm>
      )}
    </Page>,
    isConflict ? 412 : 200,
  )
}

/** Retires a field and removes the values that the user confirmed. */
export async function retireField(c: SchemaContext) {
  const { $id, $version, $misfits } = await readFormBody(c.req)
  const { kind, field, version, change } = await prepareRetirement(c, String($id))
  if (String($version) !== version) return renderRetirePage(c, field.id, true)
  const check = await applyChange(c, change, $misfits)
  return check
    ? renderRetirePage(c, field.id, true)
    : redirectWithFlash(c, schemaPath(c, kind), { notice: `${field.label} was retired.` })
}

async function prepareRetirement(c: SchemaContext, id: string) {
  const { kind, before, schema, version } = await openSchema(c)
  const field = findField(withoutDerivedFields(schema.fields), id)
  const next = removeField(kind, schema, id)
  const target = `${kind}: ${field.label}`
  const audit = { action: 'field.retired', target } as const
  return { kind, field, version, change: { kind, before, next, audit } }
}

type Props = { c: Context<DashboardEnv>; kind: Kind; misfits: readonly Misfit[] }

/** Renders the values that a change would remove: the number of people, and the most frequent values with a link to an example. */
export function MisfitList({ c, kind, misfits }: Props) {
  return (
    <>
      {misfits
        .filter(({ reason }) => reason !== 'area')
        .map(({ field, reason, ids, values }) => (
          <>
            <p>
              <strong>{field}</strong>: {describeMisfits(kind, reason, ids.length)}
            </p>
            <DataTable
              label={`Values of ${field}`}
              columns={[
                {
                  heading: 'Value',
                  cell: ({ value }) => <span class="truncate">{formatMisfit(value)}</span>,
                },
                {
                  heading: toLabel(kind),
                  isRightAligned: true,
                  cell: ({ people }) => formatNumber(people),
                },
                {
                  heading: 'For example',
                  cell: ({ id }) => <a href={recordPath(c, kind, id)}>{id}</a>,
                },
              ]}
              rows={values}
            />
          </>
        ))}
      {misfits.some(({ reason }) => reason === 'area') && (
        <p>The areas looked up from its postcodes are removed with the field.</p>
      )}
    </>
  )
}

/** Returns the label of the button that confirms the misfits, or the obstacle to the change. */
export function resolveMisfits(
  kind: Kind,
  misfits: readonly Misfit[],
): { confirmLabel: string } | { obstacle: string } {
  const people = affectedIds(misfits).length
  if (misfits.some(({ reason }) => reason === 'shared'))
    return {
      obstacle: 'Correct these records first: each must have a different value in this field.',
    }
  if (people > maxChangedPeople) return { obstacle: tooManyPeople(kind) }
  if (people === 0) return { confirmLabel: 'Save' }
  return { confirmLabel: `Save, and remove these values from ${countPeople(kind, people)}` }
}

function describeMisfits(kind: Kind, reason: Misfit['reason'], people: number): string {
  const subject = `${countPeople(kind, people)} ${pluralise(people, 'has', 'have')}`
  if (reason === 'type') return `${subject} a value that does not fit the new type.`
  if (reason === 'shared') return `${subject} a value that somebody else has too.`
  if (reason === 'option')
    return `${subject} an option that you are removing. They keep it, but nobody can choose it again.`
  return `${subject} a value in this field.`
}

const countPeople = (kind: Kind, people: number) => formatCount(people, kinds[kind].singular, kind)

function formatMisfit(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
