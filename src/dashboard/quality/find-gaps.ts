import type { Context } from 'hono'
import type { Author } from '../../model/author.ts'
import type { Origin } from '../../store/people/read-origins.ts'
import type { FieldColumns } from '../../store/summary/read-values.ts'
import { can } from '../session/permissions.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import { keysPath, storedImportPath } from '../ui/paths.ts'
import { hasDetail, type PersonDetail } from './details.ts'

/** The people who came in one way, and the details that some of them lack, the most frequent first. */
export type OriginGaps = {
  name: string
  total: number
  gaps: readonly { words: string; missing: number }[]
  /** The page about the origin; undefined without one, or if the user may not open it. */
  link: { text: string; href: string } | undefined
}

/** Finds the missing details of recently added people by the way in which they came, those with most gaps first. */
export function findGaps(
  c: Context<DashboardEnv>,
  details: readonly PersonDetail[],
  { columns, origins = [] }: Pick<FieldColumns, 'columns' | 'origins'>,
): OriginGaps[] {
  const named = origins.map((origin) => ({ ...describeOrigin(c, origin), people: origin.people }))
  return [...Map.groupBy(named, ({ name, link }) => `${name} ${link?.href}`).values()]
    .flatMap((same) => {
      const people = same.flatMap((origin) => origin.people)
      const gaps = details
        .map(({ words, fields }) => ({
          words,
          missing: people.filter((person) => !hasDetail(fields, columns, person)).length,
        }))
        .filter(({ missing }) => missing > 0)
        .toSorted((one, other) => other.missing - one.missing)
      return same.slice(0, 1).map(({ name, link }) => ({ name, link, total: people.length, gaps }))
    })
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => mostMissing(other) - mostMissing(one) || other.total - one.total)
}

const mostMissing = ({ gaps }: OriginGaps) => gaps[0]?.missing ?? 0

function describeOrigin(
  c: Context<DashboardEnv>,
  { author, key, file }: Omit<Origin, 'ordinals'>,
): Pick<OriginGaps, 'name' | 'link'> {
  if (author?.import !== undefined && author.through !== 'undo') {
    // Only people who may import see the names of files.
    if (!can(c, 'write')) return { name: 'Imports', link: undefined }
    const href = storedImportPath(c, author.import)
    return { name: file ?? 'An import', link: { text: 'Open the import', href } }
  }
  if (author?.by !== 'key') return { name: nameOrigin(author), link: undefined }
  return {
    name: key === null ? 'A deleted key' : `Key ${key}`,
    link:
      key !== null && can(c, 'administer')
        ? { text: 'Open the key', href: `${keysPath(c)}/${encodeURIComponent(author.id)}` }
        : undefined,
  }
}

function nameOrigin(author: Author | null): string {
  if (author === null) return 'Not known how'
  if (author.through === 'undo') return 'Restored'
  if (author.through === 'walk-in') return 'Walk-ins'
  if (author.by === 'public page' || author.through === 'sign-up') return 'Public pages'
  if (author.by === 'command line') return 'Command line'
  return author.through === undefined ? 'Apps of people' : 'Dashboard'
}
