import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { Fund } from '../../resources/funds.ts'
import type { FundTotals } from './fund-totals.ts'
import { type PublishedGrant, source } from './published-grant.ts'

type Programme = { name: string; code: string; description: string; key: string }

/** The funds of an organisation's published grants: one for each programme of a funder, and one for a funder's grants without. */
export function createGrantProgrammes(organisationId: string) {
  const programmes = new Map<string, Programme>()
  return {
    /** Takes note of a grant's programme, and gives the fund's id. */
    add(grant: PublishedGrant): string {
      const { code = '', title = '', description = '' } = grant.grantProgramme ?? {}
      const funder = grant.fundingOrganization
      const funderKey = funder?.id || funder?.name || organisationId
      const programmeKey = code || title
      const fundId = [funderKey, programmeKey].filter(Boolean).map(slug).join('.')
      if (!programmes.has(fundId)) {
        const name = title || code || funder?.name || funderKey
        programmes.set(fundId, { name, code, description, key: programmeKey || funderKey })
      }
      return fundId
    },

    funds: (totals: FundTotals): z.output<typeof Fund>[] =>
      [...programmes].map(([fundId, { name, code, description, key }]) =>
        Fund.parse({
          fundId,
          managedBy: organisationId,
          name,
          description,
          identifier: code,
          ...totals.get(fundId),
          external: { id: key, source },
        }),
      ),
  }
}

/** A readable part of an id. Names that differ in case, space and dashes have one; others never share theirs. */
function slug(name: string): string {
  const normalised = name
    .toLowerCase()
    .replace(/[\s\p{Dash_Punctuation}]+/gu, '-')
    .replace(/^-|-$/g, '')
  const readable = normalised
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
  if (readable === normalised) return readable
  const digest = createHash('sha256').update(normalised).digest('hex').slice(0, 8)
  return readable ? `${readable}-${digest}` : digest
}
