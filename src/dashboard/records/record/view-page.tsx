import type { Context } from 'hono'
import { isErrorOf } from '../../../model/api-error.ts'
import { describeCollection } from '../../collection/collection-info.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { renderDeletedRecord } from './deleted-record.tsx'
import { findLayout } from './layouts.tsx'
import { loadView } from './load.ts'
import { RecordPage } from './record-page.tsx'
import { seriesLayout } from './series-layout.tsx'

/** Renders the page of a record: of a deleted one its history. Throws 404 for an unknown record. */
export async function renderRecordPage(c: Context<DashboardEnv>, name: string, id: string) {
  const collection = await describeCollection(c, name)
  const layout = findLayout(name)
  try {
    const view = await loadView(c, collection, id, layout.reads)
    return c.html(
      <RecordPage c={c} view={view} layout={view.series ? seriesLayout(view.series) : layout} />,
    )
  } catch (error) {
    if (!isErrorOf(error, 'NOT_FOUND', 'FORBIDDEN')) throw error
    // A member of another organisation may have the id of a deleted one.
    return renderDeletedRecord(c, collection, id).catch((reason: unknown) => {
      throw isErrorOf(reason, 'NOT_FOUND') ? error : reason
    })
  }
}
