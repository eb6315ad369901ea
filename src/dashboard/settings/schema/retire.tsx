import { readForm } from '../../../http/body.ts'
import { withoutDerivedFields } from '../../../model/properties/area-fields.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { redirectWithFlash } from '../../ui/flash.ts'
import { Page } from '../../ui/page.tsx'
import {
  applyChange,
  findField,
  readSchema,
  type SchemaContext,
  schemaConflictMessage,
} from './change.ts'
import { removeField } from './draft.ts'
import { MisfitList, resolveMisfits, serialiseMisfits } from './misfits.tsx'
import { schemaPath } from './schema-page.tsx'

/** Asks for confirmation before a field is retired, and shows its values. */
export async function renderRetirePage(c: SchemaContext, id: string, isConflict = false) {
  const { kind, field, version, change } = await prepareRetirement(c, id)
  const { misfits } = await c.var.schemas.check(change)
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
          confirmLabel={misfits.length > 0 ? 'Retire field and remove its values' : 'Retire field'}
          cancelPath={path}
          cancelLabel="Keep field"
        >
          <input type="hidden" name="$id" value={field.id} />
          <input type="hidden" name="$version" value={version} />
          <input type="hidden" name="$seen" value={serialiseMisfits(misfits)} />
          <p>
            {misfits.length > 0
              ? 'The field and all its values disappear from forms, tables and the API. This cannot be undone.'
              : 'Nobody has a value in this field. It disappears from forms, tables and the API.'}
          </p>
        </Confirm>
      )}
    </Page>,
    isConflict ? 412 : 200,
  )
}

/** Retires a field and removes the values that the person has seen. */
export async function retireField(c: SchemaContext) {
  const { $id, $version, $seen } = await readForm(c.req)
  const { kind, field, version, change } = await prepareRetirement(c, String($id))
  if (String($version) !== version) return renderRetirePage(c, field.id, true)
  const check = await applyChange(c, change, $seen)
  return check
    ? renderRetirePage(c, field.id, true)
    : redirectWithFlash(c, schemaPath(c, kind), { notice: `${field.label} was retired.` })
}

async function prepareRetirement(c: SchemaContext, id: string) {
  const { kind, before, schema, version } = await readSchema(c)
  const field = findField(withoutDerivedFields(schema.fields), id)
  const next = removeField(kind, schema, id)
  const target = `${kind}: ${field.label}`
  return { kind, field, version, change: { kind, before, next, act: 'retired field', target } }
}
