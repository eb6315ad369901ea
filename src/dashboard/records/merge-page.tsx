import type { Context } from 'hono'
import type { DashboardEnv } from '../../auth/signed-in.ts'
import { formFields } from '../../http/body.ts'
import { ApiError } from '../../model/api-error.ts'
import { sameJson } from '../../model/same-json.ts'
import { valueAt } from '../../model/value-at.ts'
import { soughtBy } from '../../people/search.ts'
import { searchPeople } from '../../store/search.ts'
import { redirectTelling } from '../flash.ts'
import { Page, Wide } from '../page.tsx'
import { type Described, described, titleOf, type Values } from './described.ts'
import { FindPerson } from './find-person.tsx'
import { countOf, namingOf } from './links.ts'
import { merge } from './merge.ts'
import { pathOfRecord } from './paths.ts'
import { type OneRecord, recordOf } from './record.ts'
import { Value } from './value.tsx'

/** Two people side by side, to choose what stays of each; before that, whom to merge with. */
export async function mergePage(c: Context<DashboardEnv>, name: string, id: string) {
  const about = await described(c, name)
  if (!about.kind) throw new ApiError('NOT_FOUND', 'Only people can be merged.')
  const kept = await recordOf(c, about, id)
  const otherId = c.req.query('with')
  if (!otherId || otherId === id) return choosePage(c, about, kept)
  const other = await recordOf(c, about, otherId)
  const naming = await namingOf(c, name, otherId, 1)
  const path = pathOfRecord(c, name, id)
  const others = naming.map(countOf)
  return c.html(
    <Page c={c} title={`Merge two ${about.label.toLowerCase()}`}>
      <section>
        <form method="post" action={`${path}/merge`}>
          <input type="hidden" name="$with" value={otherId} />
          <input type="hidden" name="$kept" value={kept.etag} />
          <input type="hidden" name="$other" value={other.etag} />
          <p>
            Choose what is right of each. <strong>{kept.id}</strong> stays;{' '}
            <strong>{other.id}</strong> is deleted
            {others.length > 0 && `, and ${others.join(', ')} that name it will name the first`}.
            This cannot be undone.
          </p>
          <SideBySide about={about} kept={kept} other={other} />
          <div class="acts">
            <button type="submit" class="danger">
              Merge them
            </button>
            <a class="button" href={path}>
              Leave them as they are
            </a>
          </div>
        </form>
      </section>
    </Page>,
  )
}

/** Merges as the form says, unless one of them is another by now than was shown. */
export async function saveMerge(c: Context<DashboardEnv>, name: string, id: string) {
  const about = await described(c, name)
  const { $with: otherId, $kept, $other, ...choices } = await formFields(c.req)
  const [kept, other] = [
    { ...(await recordOf(c, about, id)), etag: String($kept ?? '') },
    { ...(await recordOf(c, about, String(otherId ?? ''))), etag: String($other ?? '') },
  ]
  if (kept.id === other.id || !about.kind) throw new ApiError('BAD_REQUEST', 'Choose two people.')
  const chosen = Object.keys(choices).filter((field) => choices[field] === 'other')
  try {
    await merge(c, about, kept, other, chosen)
  } catch (error) {
    if (error instanceof ApiError && error.type === 'PRECONDITION_FAILED') {
      throw new ApiError(
        'PRECONDITION_FAILED',
        'Somebody else changed one of the two meanwhile. Both are still there: look at them again.',
      )
    }
    throw error
  }
  return redirectTelling(c, pathOfRecord(c, name, id), { notice: 'The two are one now.' })
}

type Two = { about: Described; kept: OneRecord; other: OneRecord }

function SideBySide({ about, kept, other }: Two) {
  const rows = about.properties
    .filter(({ given }) => given)
    .map((property) => ({
      property,
      values: [kept, other].map(({ values }) => valueAt(values, property.path)),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined))
  return (
    <Wide label="The two, side by side" stack>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{titleOf(about, kept.values)}, stays</th>
            <th scope="col">{titleOf(about, other.values)}, goes</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ property: { name, label, kind }, values }) => (
            <tr>
              <th scope="row">{label}</th>
              {sameJson(values[0], values[1]) ? (
                <td colspan={2}>
                  <Value value={values[0]} kind={kind} />
                </td>
              ) : (
                values.map((value, place) => (
                  <td data-label={place === 0 ? kept.id : other.id}>
                    <label>
                      <input
                        type="radio"
                        name={name}
                        value={place === 0 ? 'kept' : 'other'}
                        checked={values[0] === undefined ? place === 1 : place === 0}
                      />
                      <span>
                        <Value value={value} kind={kind} />
                      </span>
                    </label>
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

const mostShown = 10

/** Whom to merge somebody with: who is found by a part of a name, at first by their own. */
async function choosePage(c: Context<DashboardEnv>, about: Described, kept: OneRecord) {
  const typed = c.req.query('q') ?? titleOf(about, kept.values)
  const { kind } = about
  const sought = kind && soughtBy(kind, about.fields, typed)
  const found = kind && sought ? await searchPeople(c.var.store, kind, sought, mostShown + 1) : []
  const others = found.filter(({ id }) => id !== kept.id).slice(0, mostShown)
  const path = `${pathOfRecord(c, about.name, kept.id)}/merge`
  return c.html(
    <Page c={c} title={`Merge ${titleOf(about, kept.values)} with another`}>
      <FindPerson action={path} typed={typed} />
      <section>
        {others.length === 0 ? (
          <p>Nobody else is found by that.</p>
        ) : (
          <div class="cards">
            {others.map(({ id, document }) => {
              const values: Values = JSON.parse(document)
              return (
                <a class="card" href={`${path}?${new URLSearchParams({ with: id })}`}>
                  <strong>{titleOf(about, values)}</strong>
                  <div class="small">{id}</div>
                  {about.usual.slice(1, 4).map((name) => (
                    <div class="small">{String(values[name] ?? '')}</div>
                  ))}
                </a>
              )
            })}
          </div>
        )}
      </section>
    </Page>,
  )
}
