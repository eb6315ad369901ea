import { ownFields } from '../../geography/enrichment.ts'
import { formFields } from '../../http/body.ts'
import { redirectTelling } from '../flash.ts'
import { Page } from '../page.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { changedMeanwhile, changedOr, fieldIn, type OfKind, schemaIn } from './change.ts'
import { schemaWithout } from './draft.ts'
import { Misfits, seenAs, wayOn } from './misfits.tsx'
import { pathOfSchema } from './schema-page.tsx'

/** Asks before a field is retired, and says what is in it. */
export async function retirePage(c: OfKind, id: string, hasChanged = false) {
  const { kind, known, version, change } = await retirementOf(c, id)
  const { misfits } = await c.var.schemas.examine(change)
  const way = wayOn(kind, misfits)
  const path = pathOfSchema(c, kind)
  return c.html(
    <Page c={c} title={`Retire ${known.label}`}>
      {hasChanged && <p role="alert">{changedMeanwhile}</p>}
      {misfits.length > 0 && (
        <section>
          <h2>What is in it</h2>
          <Misfits c={c} kind={kind} misfits={misfits} />
          {'why' in way && <p>{way.why}</p>}
        </section>
      )}
      {'act' in way && (
        <Confirm
          action={`${path}/retire`}
          act={misfits.length > 0 ? 'Retire it, and remove its values' : 'Retire this field'}
          back={path}
          keep="Keep it"
        >
          <input type="hidden" name="$id" value={known.id} />
          <input type="hidden" name="$version" value={version} />
          <input type="hidden" name="$seen" value={seenAs(misfits)} />
          <p>
            {misfits.length > 0
              ? 'The field is then gone from forms, tables and the API, with every value in it. That cannot be undone.'
              : 'Nobody has a value in it. It is then gone from forms, tables and the API.'}
          </p>
        </Confirm>
      )}
    </Page>,
    hasChanged ? 412 : 200,
  )
}

/** Retires a field with the values that were shown to be in it. */
export async function retire(c: OfKind) {
  const { $id, $version, $seen } = await formFields(c.req)
  const { kind, known, version, change } = await retirementOf(c, String($id))
  if (String($version) !== version) return retirePage(c, known.id, true)
  const examined = await changedOr(c, change, $seen)
  return examined
    ? retirePage(c, known.id, true)
    : redirectTelling(c, pathOfSchema(c, kind), { notice: `${known.label} is retired.` })
}

async function retirementOf(c: OfKind, id: string) {
  const { kind, before, schema, version } = await schemaIn(c)
  const known = fieldIn(ownFields(schema.fields), id)
  const next = schemaWithout(kind, schema, id)
  const target = `${kind}: ${known.label}`
  return { kind, known, version, change: { kind, before, next, act: 'retired field', target } }
}
