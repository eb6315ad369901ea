import { lazyRoute } from '../../http/contract.ts'
import type { RecordList } from './list-route.ts'

/** `GET /$summary`: lists need none of its code. */
export const summaryRoute = (list: RecordList) =>
  lazyRoute(async () => (await import('./summary-route.ts')).getSummary(list))
