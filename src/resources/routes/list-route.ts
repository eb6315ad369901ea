import type * as z from 'zod'
import { route } from '../../auth/route.ts'
import { respondConditionally } from '../../formats/conditional.ts'
import { listFormat, mediaTypes, readList } from '../../formats/list.ts'
import type { ListOptions, ListSource } from '../../formats/list-page.ts'
import type { Contract } from '../../http/contract.ts'
import { preferHeaders } from '../../http/filters.ts'
import { londonDay } from '../../model/timestamp.ts'

/** The list of a collection with its contract. */
export type RecordList = ListSource & { contract: Contract<z.ZodType<ListOptions>> }

/** `GET /`: returns a list as JSON, CSV or NDJSON. */
export function listRoute(list: RecordList) {
  return route(
    {
      ...list.contract,
      headers: preferHeaders,
      isConditional: true,
      responseHeaders: { 200: ['Link', 'Warning', 'Preference-Applied', 'Content-Disposition'] },
    },
    (c) => {
      const isStrict = c.req.valid('header').Prefer
      const query = { ...c.req.valid('query'), isStrict }
      const mediaType = mediaTypes[listFormat(c, query)]
      // At midnight, the bookings of a day become past ones without any change.
      const day = query.$notMarked ? londonDay(Date.now()) : ''
      const variant = [mediaType, isStrict ? 'strict' : '', day].filter(Boolean).join(', ')
      return respondConditionally(c, variant, () => readList(c, query, list))
    },
  )
}
