import type { Context } from 'hono'
import * as z from 'zod'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { formFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { send } from '../api.ts'
import { redirectTelling } from '../flash.ts'
import { madeThis, wasIn } from '../form-was.ts'
import { type Described, described, titleOf } from './described.ts'
import { type FormValues, givenIn, patchOf, sameIn, shownIn, valueGiven } from './form-values.ts'
import { apiPathOf, pathOfCollection, pathOfNew, pathOfRecord } from './paths.ts'
import type { Property } from './properties.ts'
import { recordOf } from './record.ts'
import { RecordForm } from './record-form.tsx'

const Was = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** A form for the record of the path, as it is. */
export async function editPage(c: Context<DashboardEnv>, name: string, id: string) {
  const about = await described(c, name)
  const record = await recordOf(c, about, id)
  const asked = askedOf(about)
  const was = shownIn(asked, record.values)
  return c.html(
    <RecordForm
      {...frameOf(c, about, id)}
      title={`Edit ${titleOf(about, record.values)}`}
      properties={asked}
      values={was}
      was={was}
      etag={record.etag}
    />,
  )
}

/** Saves what was changed in the form; the form again where that is refused, or where somebody else has changed the record meanwhile. */
export async function saveEdit(c: Context<DashboardEnv>, name: string, id: string) {
  const about = await described(c, name)
  const { fields, given, was, asked } = await sent(c, about)
  const etag = String(fields.$etag ?? '')
  const touched = asked.filter((property) => !sameIn(given, was, property))
  const path = pathOfRecord(c, name, id)
  const { set, faults } = valuesSet(touched, given)
  const again = (shown: Partial<Parameters<typeof RecordForm>[0]>, status: 400 | 412) =>
    c.html(
      <RecordForm
        {...frameOf(c, about, id)}
        title={`Edit ${about.one}`}
        properties={asked}
        values={given}
        was={was}
        etag={etag}
        {...shown}
      />,
      status,
    )
  if (Object.keys(faults).length > 0) return again({ faults }, 400)
  try {
    if (set.length > 0)
      await send(c, 'PATCH', apiPathOf(name, id), patchOf(set), { 'If-Match': etag })
    return redirectTelling(c, path, { notice: set.length > 0 ? 'Saved.' : 'Nothing was changed.' })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.type === 'BAD_REQUEST') return again(saidOf(error, asked), 400)
    if (error.type !== 'PRECONDITION_FAILED') throw error
  }
  const record = await recordOf(c, about, id)
  const now = shownIn(asked, record.values)
  const values = Object.fromEntries(
    asked.map((property) => [
      property.name,
      (touched.includes(property) ? given : now)[property.name] ?? '',
    ]),
  )
  const changed = touched.filter((property) => !sameIn(now, was, property))
  return again(
    {
      values,
      was: now,
      etag: record.etag,
      fault:
        'Somebody else changed this record while you had it open, so nothing was saved. Look at it again: what you changed is still here, and saving it now replaces theirs.',
      faults: Object.fromEntries(
        changed.map(({ name }) => [name, madeThis([now[name]].flat().join(', '))]),
      ),
    },
    412,
  )
}

/** A form for a record that is not there yet. */
export async function newPage(c: Context<DashboardEnv>, name: string) {
  const about = await described(c, name)
  const asked = askedOf(about)
  return c.html(
    <RecordForm
      {...frameOf(c, about)}
      title={`New ${about.one}`}
      properties={asked}
      values={{}}
      was={{}}
    />,
  )
}

/** Creates the record that the form gives; the form again where that is refused. */
export async function saveNew(c: Context<DashboardEnv>, name: string) {
  const about = await described(c, name)
  const { given, asked } = await sent(c, about)
  const again = (shown: Partial<Parameters<typeof RecordForm>[0]>) =>
    c.html(
      <RecordForm
        {...frameOf(c, about)}
        title={`New ${about.one}`}
        properties={asked}
        values={given}
        was={{}}
        {...shown}
      />,
      400,
    )
  const { set, faults } = valuesSet(
    asked.filter((property) => !sameIn(given, {}, property)),
    given,
  )
  if (Object.keys(faults).length > 0) return again({ faults })
  try {
    const answer = await send(c, 'POST', `/${name}`, patchOf(set))
    const { [about.singular]: made } = await answer.json<Record<string, { id: string }>>()
    return redirectTelling(c, pathOfRecord(c, name, made?.id ?? ''), { notice: 'Created.' })
  } catch (error) {
    if (error instanceof ApiError && error.type === 'BAD_REQUEST')
      return again(saidOf(error, asked))
    throw error
  }
}

const askedOf = ({ properties }: Described) => properties.filter(({ given }) => given)

const frameOf = (c: Context<DashboardEnv>, { name }: Described, id?: string) =>
  id === undefined
    ? {
        c,
        action: pathOfNew(c, name),
        back: pathOfCollection(c, name),
      }
    : { c, action: `${pathOfRecord(c, name, id)}/edit`, back: pathOfRecord(c, name, id) }

async function sent(c: Context<DashboardEnv>, about: Described) {
  const fields = await formFields(c.req)
  const asked = askedOf(about)
  return { fields, asked, given: givenIn(asked, fields), was: wasIn(Was, fields.$was) }
}

function valuesSet(properties: readonly Property[], given: FormValues) {
  const set: { path: readonly string[]; value: unknown }[] = []
  const faults: Record<string, string> = {}
  for (const property of properties) {
    const found = valueGiven(property, given)
    if ('fault' in found) faults[property.name] = found.fault
    else set.push({ path: property.path, value: found.value })
  }
  return { set, faults }
}

/** What a refusal says, at the fields it names; beside them what it says of none that the form asks for. */
function saidOf(error: ApiError, asked: readonly Property[]) {
  const faults = Object.fromEntries(
    error.faults.flatMap(({ field, reason }) => {
      const property = asked.find(({ name }) => field === name || field.startsWith(`${name}.`))
      return property ? [[property.name, reason]] : []
    }),
  )
  return Object.keys(faults).length > 0 ? { faults } : { fault: error.message }
}
