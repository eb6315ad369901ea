import * as z from 'zod'
import type { Examined } from '../../auth/organisation-schemas.ts'
import { ownFields } from '../../geography/enrichment.ts'
import { formFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import type { Kind } from '../../model/schema.ts'
import { redirectTelling } from '../flash.ts'
import { madeThis, wasIn } from '../form-was.ts'
import { changedMeanwhile, changedOr, fieldIn, type OfKind, schemaIn } from './change.ts'
import { type Draft, draftIn, draftOf, newDraft, schemaWith } from './draft.ts'
import { FieldForm, Hidden, type Opened } from './field-form.tsx'
import { Misfits, seenAs, wayOn } from './misfits.tsx'
import { pathOfSchema } from './schema-page.tsx'

const Was = z.object({
  id: z.string(),
  label: z.string(),
  type: z.string(),
  options: z.string(),
  after: z.string(),
})

/** A form for the field that the query names, or for another. */
export async function fieldPage(c: OfKind, id?: string) {
  const { kind, schema, version } = await schemaIn(c)
  const fields = ownFields(schema.fields)
  const known = id === undefined ? undefined : fieldIn(fields, id)
  const draft = known ? draftOf(known, fields) : newDraft(fields)
  const opened = { version, was: draft, known }
  return c.html(<FieldForm c={c} kind={kind} draft={draft} fields={fields} {...opened} />)
}

/** Saves a field as the form gives it; the form again where that is refused, where what people have does not fit, or where somebody else has changed the schema meanwhile. */
export async function saveField(c: OfKind) {
  const form = await formFields(c.req)
  const { kind, before, schema, version } = await schemaIn(c)
  const fields = ownFields(schema.fields)
  const draft = draftIn(form)
  const id = form.$id === undefined ? undefined : String(form.$id)
  const known = id === undefined ? undefined : fieldIn(fields, id)
  const opened: Opened = { version: String(form.$version), was: wasIn(Was, form.$was), known }
  const shown = { c, kind, draft, fields }
  if (opened.version !== version) {
    const now = known ? draftOf(known, fields) : opened.was
    const faults = { '': changedMeanwhile, ...changedBy(opened.was, now) }
    return c.html(
      <FieldForm {...shown} {...opened} version={version} was={now} faults={faults} />,
      412,
    )
  }
  const found = schemaWith(kind, schema, draft, known)
  if ('faults' in found)
    return c.html(<FieldForm {...shown} {...opened} faults={found.faults} />, 400)
  const target = `${kind}: ${draft.label}`
  const act = known ? 'changed field' : 'added field'
  const change = { ...{ kind, before, next: found.schema, act }, target }
  try {
    const examined = await changedOr(c, change, form.$seen)
    if (!examined)
      return redirectTelling(c, pathOfSchema(c, kind), {
        notice: `${draft.label} is ${known ? 'saved' : 'added'}.`,
      })
    return c.html(
      <FieldForm {...shown} {...opened}>
        <Unfit {...{ c, kind, examined, draft, opened }} />
      </FieldForm>,
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'CONFLICT') throw error
    return c.html(<FieldForm {...shown} {...opened} faults={{ '': error.message }} />, 409)
  }
}

type UnfitProps = {
  c: OfKind
  kind: Kind
  examined: Examined
  draft: Draft
  opened: Opened
}

/** What does not go with a changed field, and the way on all the same. */
function Unfit({ c, kind, examined: { misfits }, draft, opened }: UnfitProps) {
  const way = wayOn(kind, misfits)
  const path = pathOfSchema(c, kind)
  return (
    <section>
      <h2>What people have there does not all fit</h2>
      <p>Nothing was saved yet.</p>
      <Misfits c={c} kind={kind} misfits={misfits} />
      {'why' in way ? (
        <p>{way.why}</p>
      ) : (
        <form method="post" action={opened.known ? `${path}/field` : `${path}/new`}>
          <Hidden {...opened} />
          {Object.entries(draft).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="$seen" value={seenAs(misfits)} />
          <button type="submit" class={way.act === 'Save' ? undefined : 'danger'}>
            {way.act}
          </button>
        </form>
      )}
    </section>
  )
}

/** What somebody else made of each part of a field since the form was opened. */
const changedBy = (was: Draft, now: Draft): Record<string, string> =>
  Object.fromEntries(
    (['label', 'type', 'options', 'after'] as const)
      .filter((name) => was[name] !== now[name])
      .map((name) => [name, madeThis(now[name])]),
  )
