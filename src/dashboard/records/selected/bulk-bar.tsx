import type { Context } from 'hono'
import type { CollectionInfo, ShownProperty } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Menu } from '../../ui/menu.tsx'

/** The property with the tags of a collection's records; undefined if they have none. */
export const findTags = ({ properties }: CollectionInfo): ShownProperty | undefined =>
  properties.find(
    ({ type, name, isEditable }) => type === 'list' && isEditable && /tags$/i.test(name),
  )

type Props = { c: Context<DashboardEnv>; collection: CollectionInfo }

/** Renders the actions on the selected records of a list. The stylesheet shows them once a record is selected, and their number. */
export function BulkBar({ c, collection }: Props) {
  const canWrite = can(c, 'write')
  return (
    <div class="bulk">
      <strong>selected</strong>
      {canWrite && findTags(collection) && <Action value="tag" label="Add tag" />}
      {canWrite && <Action value="field" label="Edit a field" />}
      <Menu label="Download" class="plain">
        <MenuAction value="csv" label="CSV" />
        <MenuAction value="xlsx" label="Excel" />
      </Menu>
      {canWrite && (
        <Menu label="More actions on the selected" class="plain" isRare>
          {collection.kind && <MenuAction value="merge" label="Merge two people" />}
          <MenuAction value="delete" label="Delete" />
        </Menu>
      )}
    </div>
  )
}

type ActionProps = { value: string; label: string }

const Action = ({ value, label }: ActionProps) => (
  <button type="submit" class="button plain" name="action" value={value}>
    {label}
  </button>
)

const MenuAction = ({ value, label }: ActionProps) => (
  <li>
    <button type="submit" name="action" value={value}>
      {label}
    </button>
  </li>
)
