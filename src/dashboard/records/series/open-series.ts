import type { Context } from 'hono'
import { ApiError } from '../../../model/api-error.ts'
import { type CollectionInfo, describeCollection } from '../../collection/collection-info.ts'
import { type LoadedRecord, loadRecord } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import { recordPath } from '../../ui/paths.ts'
import { loadSeries, type Series } from '../record/load-series.ts'

/** A series with its dates, for a page that changes them. */
export type OpenSeries = {
  events: CollectionInfo
  record: LoadedRecord
  series: Series
  name: string
  /** The link to its page. */
  crumb: { name: string; href: string }
}

/** Loads a series. Throws 404 for any other event. */
export async function openSeries(c: Context<DashboardEnv>, id: string): Promise<OpenSeries> {
  const events = await describeCollection(c, 'events')
  const [record, series] = await Promise.all([loadRecord(c, events, id), loadSeries(c, id)])
  if (!series) throw new ApiError('NOT_FOUND', 'This event has no dates.')
  const name = String(record.values.name || id)
  return { events, record, series, name, crumb: { name, href: recordPath(c, 'events', id) } }
}
