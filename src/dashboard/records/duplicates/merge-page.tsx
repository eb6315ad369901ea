import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { parsePreconditions } from '../../../http/preconditions.ts'
import { ApiError, isErrorOf } from '../../../model/api-error.ts'
import { formatShortDay } from '../../../model/dates.ts'
import { isSameJson, valueAt } from '../../../model/json.ts'
import { personResource } from '../../../resources/routes/person-routes.ts'
import { readVersionDays } from '../../../store/history/deletions.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownProperty,
} from '../../collection/collection-info.ts'
import {
  describeCount,
  describeCounts,
  findReferencing,
  type LoadedRecord,
  loadRecord,
} from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { SaveButtons } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { redirectWithFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { collectionPath, recordPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import { Value } from '../../ui/value.tsx'
import { buildPatch } from '../form/question.ts'
import { renderChoosePage } from './choose-page.tsx'

/** Renders both people side by side with a choice for each value; without `with`, the choice of a duplicate. */
export async function renderMergePage(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  if (!collection.kind) throw new ApiError('NOT_FOUND', 'Only people can be merged.')
  const survivor = await loadRecord(c, collection, id)
  const duplicateId = c.req.query('with')
  if (!duplicateId || duplicateId === id) return renderChoosePage(c, collection, survivor)
  const [duplicate, referencing, versionDays] = await Promise.all([
    loadRecord(c, collection, duplicateId),
    findReferencing(c, name, duplicateId, 1),
    readVersionDays(c.var.store),
  ])
  const path = recordPath(c, name, id)
  const title = recordTitle(collection, survivor.values)
  const moving = referencing.map(describeCount).join(' and ')
  return c.html(
    <Page
      c={c}
      title="Merge two people"
      lead={
        versionDays > 0
          ? `Choose the right values. You can undo it for ${versionDays} days.`
          : 'Choose the right values. This cannot be undone, because the organisation stores no previous versions.'
      }
      crumbs={[
        { name: collection.label, href: collectionPath(c, name) },
        { name: title, href: path },
      ]}
    >
      <Form
        action={`${path}/merge`}
        hidden={{ $with: duplicateId, $survivor: survivor.etag, $duplicate: duplicate.etag }}
      >
        <MergeTable collection={collection} survivor={survivor} duplicate={duplicate} />
        <p class="quiet after">
          {moving
            ? `${moving} of the second person move to the first.`
            : 'Nothing else refers to the second person.'}
        </p>
        <SaveButtons label="Merge" cancelPath={path} />
      </Form>
    </Page>,
  )
}

/** Merges two people unless one of them changed after the page was rendered. */
export async function saveMerge(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const { $with: duplicateId, $survivor, $duplicate, ...choices } = await readFormBody(c.req)
  const survivor = await loadRecord(c, collection, id)
  const duplicate = await loadRecord(c, collection, String(duplicateId ?? ''))
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
    const moved = await records.mergePeople(
      personResource(collection.kind),
      { id, from: duplicate.id, fields: buildPatch(changes) },
      { match, fromMatch },
    )
    const [counts, versionDays] = await Promise.all([
      describeCounts(new Map(Object.entries(moved))),
      readVersionDays(c.var.store),
    ])
    return redirectWithFlash(c, recordPath(c, name, id), {
      notice: counts ? `Merged, with ${counts}.` : 'Merged.',
      ...(versionDays > 0 && { undo: `${recordPath(c, name, duplicate.id)}/restore` }),
    })
  } catch (error) {
    if (isErrorOf(error, 'PRECONDITION_FAILED')) {
      throw new ApiError(
        'PRECONDITION_FAILED',
        'Somebody else changed one of the two people, so nothing was merged. Review them and try again.',
      )
    }
    throw error
  }
}

type MergePair = { collection: CollectionInfo; survivor: LoadedRecord; duplicate: LoadedRecord }

/** The values of a property of both people. */
type ComparedProperty = { property: ShownProperty; values: readonly unknown[]; isEqual: boolean }

/** Renders the values of both people, the different ones first, each with a choice. */
function MergeTable({ collection, survivor, duplicate }: MergePair) {
  const rows = collection.properties
    .filter(({ isEditable }) => isEditable)
    .map((property): ComparedProperty => {
      const values = [survivor, duplicate].map((person) => valueAt(person.values, property.path))
      return { property, values, isEqual: isSameJson(values[0], values[1]) }
    })
    .filter(({ values }) => values.some((value) => value !== undefined))
  const people = [
    { choice: 'survivor', record: survivor, role: 'Stays' },
    { choice: 'duplicate', record: duplicate, role: 'Merged into the first' },
  ]
  return (
    <DataTable
      label="Values of both people"
      class="compare"
      columns={[
        { heading: 'Field', cell: ({ property }) => property.label },
        ...people.map(({ choice, record, role }, index) => ({
          heading: (
            <>
              {recordTitle(collection, record.values)}
              <br />
              {role}
              {record.created && ` · added ${formatShortDay(record.created.slice(0, 10))}`}
            </>
          ),
          cell: (row: ComparedProperty) => <MergeChoice {...row} choice={choice} index={index} />,
        })),
      ]}
      rows={rows.toSorted((one, other) => Number(one.isEqual) - Number(other.isEqual))}
    />
  )
}

type MergeChoiceProps = ComparedProperty & { choice: string; index: number }

/** Renders a person's value with its radio button; without one if both people have the value. */
function MergeChoice({ property, values, isEqual, choice, index }: MergeChoiceProps) {
  const value = <Value value={values[index]} {...property} />
  if (isEqual) return <span class="quiet">{value}</span>
  const chosenIndex = values[0] === undefined ? 1 : 0
  return (
    <label class="choice">
      <input type="radio" name={property.name} value={choice} checked={index === chosenIndex} />
      <span>{value}</span>
    </label>
  )
}
