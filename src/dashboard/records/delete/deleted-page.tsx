import type { Context } from 'hono'
import { formatShortMoment } from '../../../model/dates.ts'
import { type Deletion, listDeletions } from '../../../store/history/deletions.ts'
import { describeCollection } from '../../collection/collection-info.ts'
import { describeCounts } from '../../collection/read.ts'
import { can } from '../../session/permissions.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { ActionButton } from '../../ui/button.tsx'
import { Notice, takeFlash } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { deletedPath, recordPath } from '../../ui/paths.ts'
import { nameAuthor } from '../record/changes.ts'
import { loadTitles } from '../record/titles.ts'

/** Renders the deletions that can be restored, of all collections, newest first. */
export async function renderDeletedPage(c: Context<DashboardEnv>) {
  const before = Number(c.req.query('$before')) || undefined
  const { deletions, next, versionDays } = await listDeletions(c.var.store, before)
  const findTitle = await loadTitles(
    c,
    deletions.flatMap(({ collection, id, mergedInto }) => [
      { collection, id },
      ...(mergedInto === undefined ? [] : [{ collection, id: mergedInto }]),
    ]),
  )
  const shown = await Promise.all(
    deletions.map(async (deletion) => {
      const { collection, id, mergedInto } = deletion
      const info = await describeCollection(c, collection)
      return {
        deletion,
        title: findTitle(collection, id)?.title ?? info.singularLabel,
        others: describeOthers(deletion),
        kind: info.singularLabel,
        mergedInto: mergedInto === undefined ? undefined : findTitle(collection, mergedInto)?.title,
      }
    }),
  )
  const { notice } = takeFlash(c)
  return c.html(
    <Page
      c={c}
      title="Recently deleted"
      lead={`Deleted records can be restored for ${versionDays} days.`}
    >
      <Notice message={notice} />
      {shown.length === 0 && <p>Nothing was deleted in this time.</p>}
      <ul class="stack">
        {shown.map((item) => (
          <DeletedItem c={c} {...item} />
        ))}
      </ul>
      {next !== undefined && (
        <p class="pager">
          <a class="button" href={`${deletedPath(c)}?$before=${next}`} rel="next">
            Older deletions
          </a>
        </p>
      )}
    </Page>,
  )
}

type ItemProps = {
  c: Context<DashboardEnv>
  deletion: Deletion
  title: string
  kind: string
  others: string
  mergedInto: string | undefined
}

function DeletedItem({ c, deletion, title, kind, others, mergedInto }: ItemProps) {
  const { collection, id, at, author, key } = deletion
  const path = recordPath(c, collection, id)
  return (
    <li class="event">
      <div>
        <p>
          <a href={path}>{title}</a> <span class="quiet">{kind}</span>
          {mergedInto && <> merged into {mergedInto}</>}
          {others && <> with {others}</>}
        </p>
        <p class="quiet">
          {nameAuthor(author, key)}, <time datetime={at}>{formatShortMoment(at)}</time>
        </p>
      </div>
      {can(c, 'write') && (
        <ActionButton action={`${path}/restore`} label="Restore" target={title} class="button" />
      )}
    </li>
  )
}

/** Counts the other records of a deletion, in words. */
function describeOthers({ collection, counts }: Deletion) {
  const others = new Map(counts)
  others.set(collection, (counts.get(collection) ?? 1) - 1)
  return describeCounts(others)
}
