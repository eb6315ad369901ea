import type { Context } from 'hono'
import { readFormBody } from '../../../http/body.ts'
import { ApiError } from '../../../model/api-error.ts'
import { valueTypeOf } from '../../../model/properties/field-types.ts'
import { findOwnFields, type OwnFields } from '../../../model/properties/own-details.ts'
import { personName } from '../../../model/properties/person-name.ts'
import { type Field, type Kind, kindNames } from '../../../model/properties/schema.ts'
import { findPairsAndCacheCount, type LikelyPair } from '../../../records/search/duplicates.ts'
import { dismissPair } from '../../../store/people/duplicates.ts'
import { type CollectionInfo, describeCollection } from '../../collection/collection-info.ts'
import { describeShared } from '../../collection/shared-details.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import { Notice, redirectWithFlash, takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager, readOffset } from '../../ui/pager.tsx'
import { collectionPath, duplicatesPath, recordPath } from '../../ui/paths.ts'
import { DataTable } from '../../ui/table.tsx'
import { isEmpty, Value } from '../../ui/value.tsx'

const pageSize = 20

/** Renders the pairs of people of a kind who may be the same, the most similar first. */
export async function renderDuplicatesPage(c: Context<DashboardEnv>, name: string) {
  const collection = await describeCollection(c, name)
  const kind = requireKind(collection)
  const { pairs, isCut } = await findPairsAndCacheCount(c.var.store, {
    kind,
    fields: collection.fields,
  })
  const offset = readOffset(c)
  const shown = pairs.slice(offset, offset + pageSize)
  const own = findOwnFields(collection.fields)
  const label = collection.label.toLowerCase()
  const path = duplicatesPath(c, name)
  return c.html(
    <Page
      c={c}
      title="Likely duplicates"
      lead="People with the same e-mail address, phone number, or name and date of birth."
      crumbs={[{ name: collection.label, href: collectionPath(c, name) }]}
      tabs={kindNames.map((other) => ({
        name: other.charAt(0).toUpperCase() + other.slice(1),
        href: duplicatesPath(c, other),
        isCurrent: other === kind,
        count: other === kind ? pairs.length : undefined,
      }))}
    >
      <Notice message={takeFlash(c).notice} />
      {isCut && <p class="quiet">Only the {label} who were added first are compared.</p>}
      {pairs.length === 0 && (
        <p>
          No two {label} share these details.{' '}
          <a href={collectionPath(c, name)}>Back to all {label}</a>
        </p>
      )}
      {shown.map((pair) => (
        <PairSection c={c} collection={collection} own={own} pair={pair} />
      ))}
      <Pager path={path} offset={offset} size={pageSize} total={pairs.length} />
    </Page>,
  )
}

/** Marks two people as different, so that they are not suggested again. */
export async function dismissDuplicate(c: Context<DashboardEnv>, name: string) {
  const kind = requireKind(await describeCollection(c, name))
  const { one, other } = await readFormBody(c.req)
  await dismissPair(c.var.store, kind, [String(one ?? ''), String(other ?? '')])
  return redirectWithFlash(c, duplicatesPath(c, name), {
    notice: 'These two are no longer suggested as the same person.',
  })
}

function requireKind({ kind }: CollectionInfo): Kind {
  if (!kind) throw new ApiError('NOT_FOUND', 'Only people have duplicates.')
  return kind
}

type PairProps = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  own: OwnFields
  pair: LikelyPair
}

/** Renders two people side by side. */
function PairSection({ c, collection, own, pair: { people, same } }: PairProps) {
  const { name, singularLabel } = collection
  const [one, other] = people
  const [title, otherTitle] = people.map(
    ({ values }) => personName(own.names, values) || singularLabel,
  )
  const fields = [...own.birthDates, ...own.emails, ...own.phones].filter(({ id }) =>
    people.some(({ values }) => !isEmpty(values[id])),
  )
  const mergePath = `${recordPath(c, name, one.id)}/merge?${new URLSearchParams({ with: other.id })}`
  return (
    <section class="section">
      <DataTable
        label={`${title} and ${otherTitle}`}
        caption={`They have ${describeShared(same)}.`}
        class="compare"
        columns={[
          { heading: '', cell: ({ label }) => label },
          ...people.map(({ id, values }) => ({
            heading: (
              <a href={recordPath(c, name, id)}>{personName(own.names, values) || singularLabel}</a>
            ),
            cell: (field: Field) => <Value value={values[field.id]} type={valueTypeOf(field)} />,
          })),
        ]}
        rows={fields}
      />
      <div class="row after">
        <a class="button" href={mergePath} aria-label={`Merge ${title} and ${otherTitle}`}>
          Merge
        </a>
        <ActionButton
          action={duplicatesPath(c, name)}
          hidden={{ one: one.id, other: other.id }}
          label="Not the same person"
          target={`(${title} and ${otherTitle})`}
          class="button plain"
        />
      </div>
    </section>
  )
}
