import type { Context } from 'hono'
import { formatNumber } from '../../../platform/format-number.ts'
import { pluralise } from '../../../platform/pluralise.ts'
import type { CollectionInfo } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { duplicatesPath } from '../../ui/paths.ts'

type Props = { c: Context<DashboardEnv>; collection: CollectionInfo; count: number }

/** Renders a link to the likely duplicates, if there are any. */
export function DuplicatesNotice({ c, collection: { name }, count }: Props) {
  if (count === 0) return null
  return (
    <p class="notice">
      <a href={duplicatesPath(c, name)}>
        {formatNumber(count)} likely {pluralise(count, 'duplicate')}
      </a>
    </p>
  )
}
