import { Hono } from '../../http/hono.ts'
import { unsubscribe } from '../../sign-up/unsubscribe.ts'
import { texts } from '../../texts/texts.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicActionButton } from '../ui/form.tsx'
import { PublicPage } from '../ui/page.tsx'
import { publicPath } from '../ui/site.ts'
import { ConfirmationPanel } from '../ui/summary.tsx'

/** The page behind a link that stops messages. Scanners open the link too, so only its button stops them. */
export const unsubscribeRoutes = new Hono<PublicEnv>()
  .get('/:secret', (c) => {
    const { site } = c.var
    return c.html(
      <PublicPage site={site} title={texts.unsubscribe.title}>
        <h1>{texts.unsubscribe.question(site.organisationName)}</h1>
        <p>{texts.unsubscribe.effect}</p>
        <PublicActionButton
          action={publicPath(site, `/unsubscribe/${c.req.param('secret')}`)}
          label={texts.unsubscribe.stop}
          isPrimary
        />
      </PublicPage>,
    )
  })
  .post('/:secret', async (c) => {
    await unsubscribe(c.var.store, c.req.param('secret'))
    return c.html(
      <PublicPage site={c.var.site} title={texts.unsubscribe.title}>
        <ConfirmationPanel title={texts.unsubscribe.done} />
      </PublicPage>,
    )
  })
