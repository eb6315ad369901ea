import { withoutDerivedFields } from '../../../geography/enrichment.ts'
import { readForm } from '../../../http/body.ts'
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

/** Asks before a field is retired, and says what is in it. */
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
          <h2>What is in it</h2>
          <MisfitList c={c} kind={kind} misfits={misfits} />
          {'obstacle' in resolution && <p>{resolution.obstacle}</p>}
        </section>
      )}
      {'confirmLabel' in resolution && (
        <Confirm
          action={`${path}/retire`}
          confirmLabel={
            misfits.length > 0 ? 'Retire it, and remove its values' : 'Retire this field'
          }
          cancelPath={path}
          cancelLabel="Keep it"
        >
          <input type="hidden" name="$id" value={field.id} />
          <input type="hidden" name="$version" value={version} />
          <input type="hidden" name="$seen" value={serialiseMisfits(misfits)} />
          <p>
            {misfits.length > 0
              ? 'The field is then gone from forms, tables and the API, with every value in it. That cannot be undone.'
              : 'Nobody has a value in it. It is then gone from forms, tables and the API.'}
          </p>
        </Confirm>
      )}
    </Page>,
    isConflict ? 412 : 200,
  )
}

/** Retires a field with the values that were shown to be in it. */
export async function retireField(c: SchemaContext) {
  const { $id, $version, $seen } = await readForm(c.req)
  const { kind, field, version, change } = await prepareRetirement(c, String($id))
  if (String($version) !== version) return renderRetirePage(c, field.id, true)
  const check = await applyChange(c, change, $seen)
  return check
    ? renderRetirePage(c, field.id, true)
    : redirectWithFlash(c, schemaPath(c, kind), { notice: `${field.label} is retired.` })
}

async function prepareRetirement(c: SchemaContext, id: string) {
  const { kind, before, schema, version } = await readSchema(c)
  const field = findField(withoutDerivedFields(schema.fields), id)
  const next = removeField(kind, schema, id)
  const target = `${kind}: ${field.label}`
  return { kind, field, version, change: { kind, before, next, act: 'retired field', target } }
}
