import type { Context } from 'hono'
import { formatRecordCount, withArticle } from '../../model/collection.ts'
import { isKind } from '../../model/properties/schema.ts'
import { formatNumber } from '../../platform/format-number.ts'
import { formatCount, pluralise } from '../../platform/pluralise.ts'
import { findPairsAndCacheCount } from '../../records/search/duplicates.ts'
import { cachedPairCountColumn } from '../../store/people/duplicates.ts'
import { listPageOf, savedViewsColumn } from '../../store/settings/saved-views.ts'
import type { CollectionInfo } from '../collection/collection-info.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { Form } from '../ui/form.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import {
  collectionPath,
  dashboardPath,
  deletedPath,
  downloadPath,
  duplicatesPath,
  newRecordPath,
} from '../ui/paths.ts'
import { visibleViews } from '../views/visible-views.ts'
import { DuplicatesNotice } from './duplicates/notice.tsx'
import { findShorterPath, loadList } from './list/load-list.ts'
import type { ListedRecords } from './list/read-list.ts'
import {
  findListViews,
  type ListViews,
  listViewTabs,
  SaveViewForm,
  ViewActions,
} from './list/saved-views.tsx'
import { ListTable } from './list/table.tsx'
import { Toolbar } from './list/toolbar.tsx'
import { formatListView, type ListView, maxOffset } from './list/view.ts'
import { BulkBar } from './selected/bulk-bar.tsx'

/** Renders a page of a collection as a table, with search, filters, order and columns. */
export async function showListPage(
  c: Context<DashboardEnv>,
  name: string,
  { notice, undo }: { notice?: string | undefined; undo?: string | undefined },
) {
  const { store } = c.var
  const shorterPath = await findShorterPath(c, name)
  if (shorterPath !== undefined) return c.redirect(shorterPath, 303)
  const { collection, view, properties, list, fields } = await loadList(c, name, {
    views: savedViewsColumn(store, listPageOf(name)),
    // Only people with the right to merge see the number of likely duplicates.
    ...(isKind(name) && can(c, 'write') && { duplicates: cachedPairCountColumn(store, name) }),
  })
  const { duplicates } = list.head
  const views = findListViews(visibleViews(c, list.head.views, properties), view)
  const page = c.html(
    <Page
      c={c}
      title={collection.label}
      actions={<Actions c={c} collection={collection} view={view} list={list} views={views} />}
      tabs={listViewTabs(c, collection, views)}
    >
      <Notice message={notice} undo={undo} />
      <DuplicatesNotice c={c} collection={collection} count={duplicates?.pairs ?? 0} />
      <Toolbar
        c={c}
        collection={collection}
        view={view}
        fields={fields}
        properties={properties}
        views={views}
      />
      <SaveViewForm c={c} collection={collection} view={view} views={views} />
      <Problems view={view} problem={list.problem} />
      {list.records.length > 0 ? (
        <Form action={`${collectionPath(c, name)}/selected${formatListView(view, collection)}`}>
          <ListTable
            c={c}
            collection={collection}
            view={view}
            caption={describeCount(list, collection)}
            records={list.records}
            titles={list.titles}
            attendance={list.attendance}
          />
          <BulkBar c={c} collection={collection} />
        </Form>
      ) : (
        <EmptyList c={c} collection={collection} view={view} list={list} />
      )}
      <Pager collection={collection} view={view} list={list} />
    </Page>,
  )
  // The page has the number of the last comparison. If that is old, the next page has a new one.
  const { kind } = collection
  if (kind && duplicates?.isRecent === false)
    c.var.runInBackground(findPairsAndCacheCount(store, { kind, fields: collection.fields }))
  return page
}

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  view: ListView
  list: ListedRecords
}

/** "47 of 1,365 members", or "1,365 members" without filters. */
function describeCount({ matching, total }: ListedRecords, { name }: CollectionInfo): string {
  const all = formatRecordCount(total, name)
  return matching === total ? all : `${formatNumber(matching)} of ${all}`
}

function Actions({ c, collection, view, list, views }: Props & { views: ListViews }) {
  const { name, label, singularLabel, kind } = collection
  const query = formatListView(view, collection)
  const noun = pluralise(list.matching, singularLabel, label.toLowerCase())
  const these = pluralise(
    list.matching,
    `this ${noun}`,
    `these ${formatNumber(list.matching)} ${noun}`,
  )
  const downloads = (className?: string) =>
    (['csv', 'xlsx'] as const).map((format) => (
      <li class={className}>
        <a href={downloadPath(c, format, name) + query} download>
          {format === 'csv' ? 'CSV' : 'Excel'}: {these}
        </a>
      </li>
    ))
  return (
    <>
      {list.matching > 0 && (
        <div class="wide-only">
          <Menu label="Download">{downloads()}</Menu>
        </div>
      )}
      <Menu label="More actions" isRare>
        {list.matching > 0 && downloads('narrow-only')}
        {can(c, 'write') && (
          <>
            {kind && (
              <li>
                <a href={duplicatesPath(c, name)}>Likely duplicates</a>
              </li>
            )}
            <li>
              <a href={dashboardPath(c, '/import')}>Import {label.toLowerCase()}</a>
            </li>
            <li>
              <a href={deletedPath(c)}>Recently deleted</a>
            </li>
          </>
        )}
        <ViewActions c={c} views={views} />
      </Menu>
      {can(c, 'write') && (
        <a class="button primary" href={newRecordPath(c, name)}>
          Add {singularLabel}
        </a>
      )}
    </>
  )
}

/** Renders the errors of the filters, beside them. */
function Problems({ view, problem }: { view: ListView; problem: string | undefined }) {
  if (view.errors.length === 0 && problem === undefined) return null
  return (
    <div class="notice warn" role="alert">
      <div>
        {view.errors.map(({ name, message }) => (
          <p>
            {name}: {message}
          </p>
        ))}
        {problem && <p>These filters are too much for one list. {problem}</p>}
      </div>
    </div>
  )
}

function EmptyList({ c, collection, view, list }: Props) {
  const { name, label, singularLabel } = collection
  const plural = label.toLowerCase()
  if (list.total > 0)
    return (
      <p>
        {list.matching > 0
          ? `No more ${plural}.`
          : `None of ${formatCount(list.total, singularLabel, plural)} matches.`}{' '}
        <a href={formatListView(view, collection, { filters: [], search: '' })}>
          Show all {plural}
        </a>
      </p>
    )
  return (
    <p>
      There are no {plural} yet.{' '}
      {can(c, 'write') && (
        <>
          <a href={newRecordPath(c, name)}>Add {withArticle(singularLabel)}</a> or{' '}
          <a href={dashboardPath(c, '/import')}>import a file</a>.
        </>
      )}
    </p>
  )
}

function Pager({ collection, view, list }: Omit<Props, 'c'>) {
  const { offset, size } = view
  const { matching, records } = list
  if (matching === 0) return null
  const next = offset + size
  const link = (to: number) => formatListView(view, collection, { offset: to })
  const page = Math.floor(offset / size) + 1
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {formatNumber(offset + 1)} to {formatNumber(offset + records.length)} of{' '}
        {formatNumber(matching)}
      </span>
      <span class="row">
        <span>
          Page {formatNumber(page)} of {formatNumber(Math.ceil(matching / size))}
        </span>
        {offset > 0 && (
          <a class="button" href={link(Math.max(0, offset - size))} rel="prev">
            Previous
          </a>
        )}
        {next < matching && next <= maxOffset && (
          <a
            class="button"
            href={link(next) + (list.next ? `&$skiptoken=${list.next}` : '')}
            rel="next"
          >
            Next
          </a>
        )}
        {next > maxOffset && <span>Filter the list to see the rest.</span>}
      </span>
    </nav>
  )
}
