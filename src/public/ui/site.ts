/** The organisation's name, look and contact details, which every public page shows. */
export type Site = {
  organisationId: string
  organisation: string
  /** The brand colour as `#rrggbb`. */
  colour?: string | undefined
  hasLogo: boolean
  privacyNotice?: string | undefined
  contactEmail?: string | undefined
  contactPhone?: string | undefined
  /** Whether another website shows the page in a frame: its links must stay in the frame. */
  isEmbedded: boolean
}

/** Returns the path of a public page. An embedded page links to embedded pages. */
export const publicPath = ({ organisationId, isEmbedded }: Site, path = '', isPlain = false) =>
  `/o/${encodeURIComponent(organisationId)}${path}${isEmbedded && !isPlain ? '?embed=1' : ''}`
