import type { Site } from '../../sign-up/public-pages.ts'

/** An organisation's public pages, as one request shows them. */
export type PublicSite = Site & {
  organisationId: string
  /** Whether another website shows the page in a frame: its links must stay in the frame. */
  isEmbedded: boolean
  /** Whether the service is a trial, which must not get real details. */
  isTrial: boolean
}

type Query = Readonly<Record<string, string>>

/** The path of a public page of the site. An embedded page links to embedded pages. */
export function publicPath(site: PublicSite, path = '', query: Query = {}): string {
  const search = new URLSearchParams({ ...query, ...(site.isEmbedded && { embed: '1' }) })
  return assetPath(site, path) + (search.size > 0 ? `?${search}` : '')
}

/** The path of a file of the site. */
export const assetPath = ({ organisationId }: PublicSite, path: string) =>
  `/o/${encodeURIComponent(organisationId)}${path}`

export const eventPath = (site: PublicSite, eventId: string) =>
  publicPath(site, `/events/${encodeURIComponent(eventId)}`)
