import type { Context } from 'hono'
import { readForm } from '../../http/body.ts'
import { parsePreconditions } from '../../http/preconditions.ts'
import { ApiError } from '../../model/api-error.ts'
import { isSameJson, valueAt } from '../../model/json.ts'
import { searchPeople } from '../../records/search-people.ts'
import { personResource } from '../../resources/routes/person-routes.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { redirectWithFlash } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { recordPath } from '../ui/paths.ts'
import { ScrollRegion } from '../ui/table.tsx'
import { Value } from '../ui/value.tsx'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type Values,
} from './collection-info.ts'
import { buildPatch } from './form/question.ts'
import { describeCount, findReferencing, type LoadedRecord, loadRecord } from './read.ts'
import { PersonSearchForm } from './search-page.tsx'

/** Renders the choice of a duplicate, then both people side by side with a choice for each value. */
export async function renderMergePage(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  if (!collection.kind) throw new ApiError('NOT_FOUND', 'Only people can be merged.')
  const survivor = await loadRecord(c, collection, id)
  const duplicateId = c.req.query('with')
  if (!duplicateId || duplicateId === id) return renderChoosePage(c, collection, survivor)
  const duplicate = await loadRecord(c, collection, duplicateId)
  const referencing = await findReferencing(c, name, duplicateId, 1)
  const path = recordPath(c, name, id)
  const referenceCounts = referencing.map(describeCount)
  return c.html(
    <Page c={c} title={`Merge two ${collection.label.toLowerCase()}`}>
      <section>
        <form method="post" action={`${path}/merge`}>
          <input type="hidden" name="$with" value={duplicateId} />
          <input type="hidden" name="$survivor" value={survivor.etag} />
          <input type="hidden" name="$duplicate" value={duplicate.etag} />
          <p>
            Choose the right value for each field. <strong>{survivor.id}</strong> stays;{' '}
            <strong>{duplicate.id}</strong> is deleted
            {referenceCounts.length > 0 && `, and ${referenceCounts.join(', ')} move to the first`}.
            This cannot be undone.
          </p>
          <MergeTable collection={collection} survivor={survivor} duplicate={duplicate} />
          <div class="buttons">
            <button type="submit" class="danger">
              Merge people
            </button>
            <a class="button" href={path}>
              Cancel
            </a>
          </div>
        </form>
      </section>
    </Page>,
  )
}

/** Merges two people unless one of them changed after the page was rendered. */
export async function saveMerge(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const { $with: duplicateId, $survivor, $duplicate, ...choices } = await readForm(c.req)
  const [survivor, duplicate] = [
    await loadRecord(c, collection, id),
    await loadRecord(c, collection, String(duplicateId ?? '')),
  ]
  if (survivor.id === duplicate.id || !collection.kind)
    throw new ApiError('BAD_REQUEST', 'Choose two people.')
  const changes = collection.properties.flatMap(({ name, path }) => {
    if (choices[name] === undefined) return []
    const { values } = choices[name] === 'duplicate' ? duplicate : survivor
    return [{ path, value: valueAt(values, path) ?? null }]
  })
  const { match } = parsePreconditions({ 'If-Match': String($survivor ?? '') })
  const { match: fromMatch } = parsePreconditions({ 'If-Match': String($duplicate ?? '') })
  try {
    const records = await c.var.openRecords()
    await records.mergePeople(
      personResource(collection.kind),
      { id, from: duplicate.id, fields: buildPatch(changes) },
      { match, fromMatch },
    )
  } catch (error) {
    if (error instanceof ApiError && error.type === 'PRECONDITION_FAILED') {
      throw new ApiError(
        'PRECONDITION_FAILED',
        'Somebody else changed one of the two records, so nothing was merged. Review them and try again.',
      )
    }
    throw error
  }
  return redirectWithFlash(c, recordPath(c, name, id), { notice: 'The records were merged.' })
}

type MergePair = { collection: CollectionInfo; survivor: LoadedRecord; duplicate: LoadedRecord }

function MergeTable({ collection, survivor, duplicate }: MergePair) {
  const rows = collection.properties
    .filter(({ isEditable }) => isEditable)
    .map((property) => ({
      property,
      values: [survivor, duplicate].map(({ values }) => valueAt(values, property.path)),
    }))
    .filter(({ values }) => values.some((value) => value !== undefined))
  return (
    <ScrollRegion label="Both people side by side" isStacked>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">{recordTitle(collection, survivor.values)} (stays)</th>
            <th scope="col">{recordTitle(collection, duplicate.values)} (deleted)</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ property: { name, label, type }, values }) => (
            <tr>
              <th scope="row">{label}</th>
              {isSameJson(values[0], values[1]) ? (
                <td colspan={2}>
                  <Value value={values[0]} type={type} />
                </td>
              ) : (
                values.map((value, index) => (
                  <td data-label={index === 0 ? survivor.id : duplicate.id}>
                    <label>
                      <input
                        type="radio"
                        name={name}
                        value={index === 0 ? 'survivor' : 'duplicate'}
                        checked={values[0] === undefined ? index === 1 : index === 0}
                      />
                      <span>
                        <Value value={value} type={type} />
                      </span>
                    </label>
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const maxShown = 10

/** Renders a search for the duplicate, which starts with the person's own name. */
async function renderChoosePage(
  c: Context<DashboardEnv>,
  collection: CollectionInfo,
  survivor: LoadedRecord,
) {
  const query = c.req.query('q') ?? recordTitle(collection, survivor.values)
  const { kind } = collection
  const found =
    kind && (await searchPeople(c.var.store, { kind, fields: collection.fields }, query))
  const people = (await found?.read(0, maxShown + 1)) ?? []
  const otherPeople = people.filter(({ id }) => id !== survivor.id).slice(0, maxShown)
  const path = `${recordPath(c, collection.name, survivor.id)}/merge`
  return c.html(
    <Page c={c} title={`Merge ${recordTitle(collection, survivor.values)} with a duplicate`}>
      <PersonSearchForm action={path} query={query} />
      <section>
        {otherPeople.length === 0 ? (
          <p>Nobody else matches.</p>
        ) : (
          <div class="cards">
            {otherPeople.map(({ id, document }) => {
              const values: Values = JSON.parse(document)
              return (
                <a class="card" href={`${path}?${new URLSearchParams({ with: id })}`}>
                  <strong>{recordTitle(collection, values)}</strong>
                  <div class="small">{id}</div>
                  {collection.defaultColumns.slice(1, 4).map((name) => (
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
