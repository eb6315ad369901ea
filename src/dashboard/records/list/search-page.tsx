import type { Context } from 'hono'
import { valueTypeOf } from '../../../model/properties/field-types.ts'
import { findOwnFields } from '../../../model/properties/own-details.ts'
import { type Kind, kindNames } from '../../../model/properties/schema.ts'
import { formatCount } from '../../../platform/pluralise.ts'
import { searchPeople } from '../../../records/search/search-people.ts'
import {
  type CollectionInfo,
  describeCollection,
  recordTitle,
  type ShownValues,
} from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Page } from '../../ui/page.tsx'
import { Pager, readOffset } from '../../ui/pager.tsx'
import { recordPath, recordsPath } from '../../ui/paths.ts'
import { PersonSearchForm } from '../../ui/person-search-form.tsx'
import { DataTable } from '../../ui/table.tsx'
import { Value } from '../../ui/value.tsx'

const pageSize = 50

type Result = { collection: CollectionInfo; values: ShownValues }

/** Renders a search of all people, or with `kind` of one kind: every match, in pages. */
export async function renderSearchPage(c: Context<DashboardEnv>) {
  const query = c.req.query('q')?.trim() ?? ''
  const chosen = kindNames.find((kind) => kind === c.req.query('kind'))
  const offset = readOffset(c)
  const groups = await Promise.all(kindNames.map((kind) => findKind(c, kind, query)))
  const total = groups.reduce((sum, { found }) => sum + found.total, 0)
  const shown = chosen ? groups.filter(({ collection }) => collection.kind === chosen) : groups
  const shownTotal = shown.reduce((sum, { found }) => sum + found.total, 0)
  const results = await readResults(shown, offset)
  const path = (kind?: Kind) =>
    `${recordsPath(c)}/search?${new URLSearchParams({ q: query, ...(kind && { kind }) })}`
  const tabs = [
    { name: 'All', href: path(), isCurrent: !chosen, count: total },
    ...groups.map(({ collection: { label, kind }, found }) => ({
      name: label,
      href: path(kind),
      isCurrent: kind === chosen,
      count: found.total,
    })),
  ]
  return c.html(
    <Page c={c} title="Find a person" tabs={total > 0 ? tabs : []}>
      <PersonSearchForm
        action={`${recordsPath(c)}/search`}
        query={query}
        isFocused={query === ''}
      />
      {query !== '' && shownTotal === 0 && (
        <p role="status">Nobody matches. Try a part of a name, or only a few letters of it.</p>
      )}
      {results.length > 0 && <ResultTable c={c} results={results} total={shownTotal} />}
      <Pager path={path(chosen)} offset={offset} size={pageSize} total={shownTotal} />
    </Page>,
  )
}

async function findKind(c: Context<DashboardEnv>, kind: Kind, query: string) {
  const collection = await describeCollection(c, kind)
  const found = await searchPeople(c.var.store, { kind, fields: collection.fields }, query)
  return { collection, found }
}

/** Reads a page of the results of all kinds, one kind after the other. */
async function readResults(
  groups: readonly Awaited<ReturnType<typeof findKind>>[],
  offset: number,
): Promise<Result[]> {
  const results: Result[] = []
  let skipped = 0
  for (const { collection, found } of groups) {
    const from = Math.max(0, offset - skipped)
    const people = await found.read(from, pageSize - results.length)
    results.push(
      ...people.map(({ document }) => ({
        collection,
        values: JSON.parse(document) as ShownValues,
      })),
    )
    skipped += found.total
  }
  return results
}

type ResultTableProps = { c: Context<DashboardEnv>; results: readonly Result[]; total: number }

const ResultTable = ({ c, results, total }: ResultTableProps) => (
  <DataTable
    label="People"
    caption={formatCount(total, 'person', 'people')}
    columns={[
      {
        heading: 'Name',
        cell: ({ collection, values }) => (
          <a href={recordPath(c, collection.name, String(values[collection.id]))}>
            {recordTitle(collection, values)}
          </a>
        ),
      },
      { heading: 'Kind', cell: ({ collection }) => collection.singularLabel },
      { heading: 'E-mail', cell: (result) => <FirstValue {...result} detail="emails" /> },
      { heading: 'Phone', cell: (result) => <FirstValue {...result} detail="phones" /> },
      {
        heading: 'Date of birth',
        isRightAligned: true,
        cell: (result) => <FirstValue {...result} detail="birthDates" />,
      },
    ]}
    rows={results}
  />
)

/** Renders the first value of the fields for a detail. */
function FirstValue({
  collection,
  values,
  detail,
}: Result & { detail: 'emails' | 'phones' | 'birthDates' }) {
  const fields = findOwnFields(collection.fields)[detail]
  const field = fields.find(({ id }) => values[id] !== undefined) ?? fields[0]
  return <Value value={field && values[field.id]} type={field ? valueTypeOf(field) : 'text'} />
}
