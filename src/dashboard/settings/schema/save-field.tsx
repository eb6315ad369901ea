import * as z from 'zod'
import type { SchemaCheck } from '../../../admin/organisation/schemas.ts'
import { readFormBody } from '../../../http/body.ts'
import { isErrorOf } from '../../../model/api-error.ts'
import { withoutDerivedFields } from '../../../model/properties/area-fields.ts'
import type { Kind } from '../../../model/properties/schema.ts'
import { ActionButton } from '../../ui/button.tsx'
import { describeConflict, type FieldErrors, parseRenderedValues } from '../../ui/form-values.ts'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { schemaPath } from '../../ui/paths.ts'
import {
  applyChange,
  createDraft,
  type FieldDraft,
  findField,
  openSchema,
  readFieldDraft,
  type SchemaContext,
  schemaConflictMessage,
  serialiseMisfits,
  toFieldDraft,
  upsertField,
} from './change.ts'
import { FieldForm, type FieldFormState, fieldFormPath, toHidden } from './field-form.tsx'
import { MisfitList, resolveMisfits } from './retire.tsx'

const RenderedDraft = z.object({
  id: z.string(),
  label: z.string(),
  type: z.string(),
  options: z.string(),
  after: z.string(),
})

/** Renders the form for an existing field, or for a new one without `id`. */
export async function renderFieldPage(c: SchemaContext, id?: string) {
  const { kind, schema, version } = await openSchema(c)
  const fields = withoutDerivedFields(schema.fields)
  const existing = id === undefined ? undefined : findField(fields, id)
  const draft = existing ? toFieldDraft(existing, fields) : createDraft(fields)
  const state = { version, renderedDraft: draft, existing }
  return c.html(<FieldForm c={c} kind={kind} draft={draft} fields={fields} {...state} />)
}

/** Saves a field. Renders the form again on errors, on misfits, or if somebody else changed the schema. */
export async function saveField(c: SchemaContext) {
  const form = await readFormBody(c.req)
  const { kind, before, schema, version } = await openSchema(c)
  const fields = withoutDerivedFields(schema.fields)
  const id = form.$id === undefined ? undefined : String(form.$id)
  const existing = id === undefined ? undefined : findField(fields, id)
  const draft = readFieldDraft(form)
  const state: FieldFormState = {
    version: String(form.$version),
    renderedDraft: parseRenderedValues(RenderedDraft, form.$rendered),
    existing,
  }
  const props = { c, kind, draft, fields }
  if (state.version !== version) {
    const current = existing ? toFieldDraft(existing, fields) : state.renderedDraft
    return c.html(
      <FieldForm
        {...props}
        version={version}
        renderedDraft={current}
        existing={existing}
        errors={describeConflicts(state.renderedDraft, current)}
        error={schemaConflictMessage}
      />,
      412,
    )
  }
  const result = upsertField(kind, schema, draft, existing)
  if ('errors' in result) {
    const { '': error, ...errors } = result.errors
    return c.html(<FieldForm {...props} {...state} errors={errors} error={error} />, 400)
  }
  const target = `${kind}: ${draft.label}`
  const audit = { action: existing ? 'field.changed' : 'field.added', target } as const
  const change = { kind, before, next: result.schema, audit }
  try {
    const check = await applyChange(c, change, form.$misfits)
    if (!check)
      return redirectWithFlash(c, schemaPath(c, kind), {
        notice: `${draft.label} was ${existing ? 'saved' : 'added'}.`,
      })
    return c.html(
      <FieldForm {...props} {...state}>
        <MisfitSection c={c} kind={kind} check={check} draft={draft} state={state} />
      </FieldForm>,
    )
  } catch (error) {
    if (!isErrorOf(error, 'CONFLICT')) throw error
    return c.html(<FieldForm {...props} {...state} error={error.message} />, 409)
  }
}

type MisfitSectionProps = {
  c: SchemaContext
  kind: Kind
  check: SchemaCheck
  draft: FieldDraft
  state: FieldFormState
}

/** Renders the values that do not fit a changed field, with a button that saves anyway. */
function MisfitSection({ c, kind, check: { misfits }, draft, state }: MisfitSectionProps) {
  const resolution = resolveMisfits(kind, misfits)
  return (
    <section>
      <h2>Some values do not fit</h2>
      <p>Nothing has been saved yet.</p>
      <MisfitList c={c} kind={kind} misfits={misfits} />
      {'obstacle' in resolution ? (
        <p>{resolution.obstacle}</p>
      ) : (
        <ActionButton
          action={fieldFormPath(c, kind, state.existing)}
          hidden={{ ...toHidden(state), ...draft, $misfits: serialiseMisfits(misfits) }}
          label={resolution.confirmLabel}
          class={resolution.confirmLabel === 'Save' ? 'button primary' : 'button danger'}
        />
      )}
    </section>
  )
}

/** An error for each part of the field that somebody else changed in the meantime. */
const describeConflicts = (rendered: FieldDraft, current: FieldDraft): FieldErrors =>
  Object.fromEntries(
    (['label', 'type', 'options', 'after'] as const)
      .filter((name) => rendered[name] !== current[name])
      .map((name) => [name, describeConflict(current[name])]),
  )
