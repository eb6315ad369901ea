import { Hono } from '../../http/hono.ts'
import { maxAge } from '../../publishing/feed.ts'
import { openPublished, type PublishingEnv } from '../../publishing/open-published.ts'
import { feedType } from '../../publishing/session-feed.ts'
import { sessionKinds, sessionLicence } from '../../publishing/sessions.ts'
import { texts } from '../../texts/texts.ts'
import { readSite } from '../access/read-site.ts'
import type { PublicEnv } from '../access/site-access.ts'
import { PublicPage } from '../ui/page.tsx'
import { assetPath, type PublicSite, publicPath } from '../ui/site.ts'
import { StructuredData } from '../ui/structured-data.tsx'

type DatasetEnv = {
  Bindings: PublishingEnv['Bindings']
  Variables: PublishingEnv['Variables'] & PublicEnv['Variables']
}

/** The page that describes the feed of sessions for who uses the data, and as JSON-LD for their programs (OpenActive's dataset site). */
export const datasetRoutes = new Hono<DatasetEnv>().get(
  '/:organisation/openactive',
  openPublished('sessions', maxAge),
  async (c) => {
    const site = await readSite(c.env, c.var.store)
    c.set('site', site)
    const { origin } = new URL(c.req.url)
    const { openData } = texts
    const name = openData.title(site.organisationName)
    const feed = `${origin}${assetPath(site, '/openactive/sessions')}`
    return c.html(
      <PublicPage
        site={site}
        title={name}
        back={{ path: publicPath(site), label: texts.events.all }}
      >
        <StructuredData data={describeDataset(site, origin, name, feed)} />
        <h1>{name}</h1>
        <p>{openData.about(site.organisationName)}</p>
        <p>
          {openData.feed} <a href={feed}>{feed}</a>
        </p>
        <p>
          {openData.licence(site.organisationName)} <a href={sessionLicence}>{sessionLicence}</a>
        </p>
      </PublicPage>,
    )
  },
)

function describeDataset(site: PublicSite, origin: string, name: string, feed: string) {
  const address = origin + assetPath(site, '')
  const logo = origin + (site.hasLogo ? assetPath(site, '/logo.png') : '/assets/icons.svg')
  return {
    '@context': ['https://schema.org/', 'https://openactive.io/'],
    '@type': 'Dataset',
    '@id': `${address}/openactive`,
    url: `${address}/openactive`,
    name,
    description: texts.openData.about(site.organisationName),
    keywords: ['Sessions', 'Activities', 'OpenActive'],
    license: sessionLicence,
    inLanguage: [texts.language],
    schemaVersion: 'https://openactive.io/modelling-opportunity-data/2.0/',
    documentation: 'https://permalink.openactive.io/dataset-site/open-data-documentation',
    discussionUrl: address,
    publisher: {
      '@type': 'Organization',
      '@id': address,
      name: site.organisationName,
      legalName: site.organisationName,
      url: address,
      logo: { '@type': 'ImageObject', url: logo },
    },
    distribution: sessionKinds.map((kind) => ({
      '@type': 'DataDownload',
      name: kind,
      additionalType: `https://openactive.io/${kind}`,
      encodingFormat: feedType,
      contentUrl: feed,
    })),
  }
}
