import type { Context } from 'hono'
import { findLikelyDuplicatesOf, type LikelyDuplicate } from '../../../records/search/duplicates.ts'
import type { CollectionInfo, ShownValues } from '../../collection/collection-info.ts'
import { describeShared } from '../../collection/shared-details.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { recordPath } from '../../ui/paths.ts'

/** The name of the button that creates a person in spite of likely duplicates. */
export const createAnywayName = '$createAnyway'

/** The stored people who may be the same as a new one; none for other records. */
export async function findDuplicates(
  c: Context<DashboardEnv>,
  { kind, fields }: CollectionInfo,
  person: ShownValues,
): Promise<LikelyDuplicate[]> {
  if (!kind) return []
  const [duplicates = []] = await findLikelyDuplicatesOf(c.var.store, { kind, fields }, [person])
  return duplicates
}

type Props = {
  c: Context<DashboardEnv>
  collection: CollectionInfo
  duplicates: readonly LikelyDuplicate[]
}

/** Renders the people who may be the same as a new one, inside the form. */
export function LikelyDuplicates({ c, collection, duplicates }: Props) {
  return (
    <section class="duplicates" aria-labelledby="duplicates">
      <h2 id="duplicates">This person may be in your records already</h2>
      <ul>
        {duplicates.map(({ id, name, same }) => (
          <li class="notice warn">
            <p>
              {name || id} has {describeShared(same)}.
            </p>
            <a
              class="button"
              href={recordPath(c, collection.name, id)}
              aria-label={`Open ${name || id}`}
            >
              Open
            </a>
          </li>
        ))}
      </ul>
      <button type="submit" class="button" name={createAnywayName} value="yes">
        Create anyway
      </button>
    </section>
  )
}
