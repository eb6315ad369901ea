import { createHash } from 'node:crypto'
import type { FundTotals } from './fund-totals.ts'
import { type PublishedGrant, source } from './published-grant.ts'

type Programme = {
  name: string
  code: string | undefined
  description: string | undefined
  key: string
}

/** Collects the funds of published grants: one per programme of a funder, and one for the funder's grants without a programme. */
export function createGrantProgrammes(organisationId: string) {
  const programmes = new Map<string, Programme>()
  return {
    /** Adds a grant's programme and returns the id of its fund. */
    add(grant: PublishedGrant): string {
      const { code, title, description } = grant.grantProgramme ?? {}
      const funder = grant.fundingOrganization
      const funderKey = funder?.id || funder?.name || organisationId
      const programmeKey = code || title
      const fundId = [funderKey, programmeKey].flatMap((key) => (key ? [slug(key)] : [])).join('.')
      if (!programmes.has(fundId)) {
        const name = title || code || funder?.name || funderKey
        programmes.set(fundId, { name, code, description, key: programmeKey || funderKey })
      }
      return fundId
    },

    funds: (totals: FundTotals) =>
      [...programmes].map(([fundId, { name, code, description, key }]) => ({
        fundId,
        managedBy: organisationId,
        name,
        description,
        identifier: code,
        ...totals.get(fundId),
        external: { id: key, source },
      })),
  }
}

/** A readable part of an id, shared by names that differ only in case, spaces or dashes. Adds a hash if the readable text loses other characters. */
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
