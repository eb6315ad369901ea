import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { Menu } from '../../ui/menu.tsx'
import { recordPath } from '../../ui/paths.ts'

type Props = { c: Context<DashboardEnv>; collection: CollectionInfo; id: string }

type RecordProps = Props & {
  /** Further actions, before the deletion. */
  children?: Child
}

/** Renders the rare actions of a person. */
export function PersonMenu({ c, collection, id }: Props) {
  const path = recordPath(c, collection.name, id)
  return (
    <Menu label="More actions" isRare>
      <li>
        <a href={`${path}/merge`}>Merge with another person</a>
      </li>
      <PrintItem />
      <ExportItems path={path} />
      <li class="apart">
        <a href={`${path}/delete`} class="danger">
          Delete
        </a>
      </li>
      <EraseItem c={c} path={path} />
    </Menu>
  )
}

/** Renders the rare actions of a deleted person. */
export function DeletedPersonMenu({ c, collection, id }: Props) {
  const path = recordPath(c, collection.name, id)
  return (
    <Menu label="More actions" isRare>
      <ExportItems path={path} />
      <EraseItem c={c} path={path} />
    </Menu>
  )
}

const ExportItems = ({ path }: { path: string }) => (
  <>
    <li class="apart">
      <a href={`${path}/export?$format=zip`} download>
        Download all their data
      </a>
    </li>
    <li>
      <a href={`${path}/export?$format=json`} download="everything.json">
        Download it for another program
      </a>
    </li>
  </>
)

const EraseItem = ({ c, path }: { c: Props['c']; path: string }) =>
  can(c, 'administer') && (
    <li>
      <a href={`${path}/erase`} class="danger">
        Erase for good
      </a>
    </li>
  )

/** Renders the rare actions of any other record. */
export function RecordMenu({ c, collection, id, children }: RecordProps) {
  return (
    <Menu label="More actions" isRare>
      <PrintItem />
      {children}
      <li class="apart">
        <a href={`${recordPath(c, collection.name, id)}/delete`} class="danger">
          Delete
        </a>
      </li>
    </Menu>
  )
}

const PrintItem = () => (
  <li>
    <button type="button" data-print hidden>
      Print
    </button>
  </li>
)
