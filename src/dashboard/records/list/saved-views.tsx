import type { Context } from 'hono'
import { listPageOf, type SavedView } from '../../../store/settings/saved-views.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Form } from '../../ui/form.tsx'
import { listSectionTabs, type Tab } from '../../ui/page.tsx'
import { collectionPath } from '../../ui/paths.ts'
import { newViewPath, viewActionPath, viewPath } from '../../views/view-paths.ts'
import { formatListView, type ListView } from './view.ts'

/** The saved views of a list, and the current one of them. */
export type ListViews = { all: readonly SavedView[]; current: SavedView | undefined }

/** The saved views of a list, and the view that its address names. */
export const findListViews = (all: readonly SavedView[], { savedView }: ListView): ListViews => ({
  all,
  current: all.find(({ id }) => id === savedView),
})

/** The tabs of a list: those of its section, then the saved views. */
export function listViewTabs(
  c: Context<DashboardEnv>,
  { name, label }: CollectionInfo,
  { all, current }: ListViews,
): Tab[] {
  const own = { name: label, href: collectionPath(c, name), isCurrent: true }
  const section = listSectionTabs(c)
  return [
    ...(section.length > 0 ? section : [own]).map((tab) => ({
      ...tab,
      isCurrent: tab.isCurrent && !current,
    })),
    ...all.map((view, index) => ({
      name: view.name,
      href: viewPath(c, view),
      isCurrent: view === current,
      isApart: index === 0,
    })),
  ]
}

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  view: ListView
  views: ListViews
}

/** Renders the link that saves a list's view under a name, or the button that saves the changes of a saved one. */
export function SaveView({ c, collection, view, views: { current } }: Props) {
  if (!can(c, 'write')) return null
  const query = queryToSave(view, collection)
  if (current?.query === query || (!current && query === '')) return null
  if (!current) {
    const path = newViewPath(c, listPageOf(collection.name), new URLSearchParams(query))
    return (
      <a class="button plain" href={path}>
        Save view
      </a>
    )
  }
  // The toolbar is a form itself, so the button belongs to a form that follows it.
  return (
    <button type="submit" class="button plain" form={saveFormId}>
      Save changes
    </button>
  )
}

/** The query of a list without the id of the saved view that it came from. */
const queryToSave = (view: ListView, collection: CollectionInfo) =>
  new URLSearchParams(formatListView(view, collection, { savedView: '' })).toString()

const saveFormId = 'save-view'

/** Renders the form of the button "Save changes". */
export function SaveViewForm({ c, collection, view, views: { current } }: Props) {
  if (!current || !can(c, 'write')) return null
  return (
    <Form
      action={viewActionPath(c, current.id, 'query')}
      hidden={{ query: queryToSave(view, collection) }}
      attributes={{ id: saveFormId }}
    />
  )
}

/** Renders the rare actions on the current saved view, as items of a menu. */
export function ViewActions({ c, views: { current } }: Pick<Props, 'c' | 'views'>) {
  if (!current || !can(c, 'write')) return null
  return (
    <>
      <li class="apart">
        <a href={viewActionPath(c, current.id, 'rename')}>Rename “{current.name}”</a>
      </li>
      <li>
        <a class="danger" href={viewActionPath(c, current.id, 'delete')}>
          Delete “{current.name}”
        </a>
      </li>
    </>
  )
}
