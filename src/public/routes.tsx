import { Buffer } from 'node:buffer'
import { handleError } from '../http/errors.ts'
import { Hono } from '../http/hono.ts'
import { routes as publishedData } from '../publishing/routes.ts'
import { describeError, PublicError } from '../sign-up/public-error.ts'
import { readLogo } from '../store/settings/public-pages.ts'
import { texts } from '../texts/texts.ts'
import { openSite, type PublicEnv, publicHeaders } from './access/site-access.ts'
import { bookingRoutes } from './booking/routes.tsx'
import { serveEventCalendar } from './events/calendar-file.ts'
import { renderEventList } from './events/list-page.tsx'
import { formRoutes } from './forms/routes.tsx'
import { datasetRoutes } from './open-data/dataset-page.tsx'
import { exitPages } from './sign-up/exit.ts'
import { signUpRoutes } from './sign-up/routes.tsx'
import { buildColours } from './ui/colours.ts'
import { PublicPage } from './ui/page.tsx'
import { unsubscribeRoutes } from './unsubscribe/routes.tsx'

/** The public pages of an organisation: events, sign-up and forms. */
const pages = new Hono<PublicEnv>()

pages.use(publicHeaders)
pages.onError((error, c) => {
  const response = handleError(error, c)
  const titles: Readonly<Record<number, string>> = texts.errors.titles
  const title = titles[response.status] ?? texts.errors.otherTitle
  return c.html(
    <PublicPage site={c.var.site} title={title}>
      <h1>{title}</h1>
      <p>{describeError(error)}</p>
    </PublicPage>,
    response.status as 500,
    Object.fromEntries([...response.headers].filter(([name]) => name === 'retry-after')),
  )
})

// The colour is in the path, so the stylesheet needs no organisation.
pages.get('/:organisation/colours/:colour{[0-9a-fA-F]{6}\\.css}', (c) =>
  c.body(buildColours(`#${c.req.param('colour').slice(0, 6)}`), 200, {
    'Content-Type': 'text/css; charset=utf-8',
  }),
)
pages.route('/', publishedData)
pages.route('/', datasetRoutes)
pages.use('/:organisation/*', openSite)
pages.get('/:organisation', renderEventList)
pages.get('/:organisation/logo.png', async (c) => {
  const logo = await readLogo(c.var.store)
  if (logo === undefined) throw missingPage()
  return c.body(Buffer.from(logo, 'base64'), 200, { 'Content-Type': 'image/png' })
})
pages.get('/:organisation/exit', exitPages)
pages.get('/:organisation/events.ics', serveEventCalendar)
pages.route('/:organisation/events', signUpRoutes)
pages.route('/:organisation/bookings', bookingRoutes)
pages.route('/:organisation/forms', formRoutes)
pages.route('/:organisation/unsubscribe', unsubscribeRoutes)
pages.get('*', () => {
  throw missingPage()
})

const missingPage = () => new PublicError('noPage')

/** The routes below `/o`. */
export const routes = new Hono<PublicEnv>().route('/o', pages)
