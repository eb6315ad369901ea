import type { Context } from 'hono'
import { respondWithTable } from '../formats/table-file.ts'
import { Hono } from '../http/hono.ts'
import { maxAge, respondWithText } from './feed.ts'
import { headings, toCells } from './grant-columns.ts'
import { writePackage } from './grant-package.ts'
import { listPublishedGrants } from './list-grants.ts'
import { openPublished, type PublishingEnv } from './open-published.ts'
import { lastPageMaxAge, respondWithSessions } from './session-feed.ts'

/** The open data of an organisation, which anybody may read. */
export const routes = new Hono<PublishingEnv>()
  .get('/:organisation/grants.json', openPublished('grants', maxAge), (c) => {
    const { store, publishing, etag } = c.var
    const { origin, pathname } = new URL(c.req.url)
    return respondWithText(c, {
      key: JSON.stringify(['grants', store.organisationId, origin]),
      etag,
      type: 'application/json',
      texts: writePackage(listGrants(c), publishing, origin + pathname),
    })
  })
  .get('/:organisation/grants.csv', openPublished('grants', maxAge), (c) =>
    respondWithGrants(c, 'csv'),
  )
  .get('/:organisation/grants.xlsx', openPublished('grants', maxAge), (c) =>
    respondWithGrants(c, 'xlsx'),
  )
  .get(
    '/:organisation/openactive/sessions',
    openPublished('sessions', lastPageMaxAge),
    respondWithSessions,
  )

const respondWithGrants = (c: Context<PublishingEnv>, format: 'csv' | 'xlsx') =>
  respondWithTable(c, { format, name: 'grants', label: 'grants', headings, rows: listRows(c) })

const listGrants = ({ var: { store, publishing }, env }: Context<PublishingEnv>) =>
  listPublishedGrants(store, env.GEOGRAPHY, publishing)

async function* listRows(c: Context<PublishingEnv>) {
  for await (const chunk of listGrants(c)) yield chunk.map(toCells)
}
