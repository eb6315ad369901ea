import { createHash } from 'node:crypto'
import type * as z from 'zod'
import { Fund } from '../resources/funds.ts'
import { isFromOpenCall, type PublishedGrant, source } from './published-grant.ts'
import { toPence } from './published-values.ts'

type Programme = {
  name: string
  code: string
  description: string
  key: string
  currencies: Set<string>
  penceAwarded: number
  penceDisbursed: number | null
  isOpenCall: boolean
  onlyIndividuals: boolean
}

/** The funds of an organisation's published grants: one for each programme of a funder, and one for a funder's grants without. */
export function grantProgrammes(organisationId: string) {
  const programmes = new Map<string, Programme>()
  return {
    /** Counts a grant in its fund, and gives the fund's id. */
    add(grant: PublishedGrant): string {
      const { code = '', title = '', description = '' } = grant.grantProgramme ?? {}
      const funder = grant.fundingOrganization
      const funderKey = funder?.id || funder?.name || organisationId
      const programmeKey = code || title
      const fundId = [funderKey, programmeKey].filter(Boolean).map(slug).join('.')
      const programme = programmes.get(fundId) ?? {
        name: title || code || funder?.name || funderKey,
        code,
        description,
        key: programmeKey || funderKey,
        currencies: new Set(),
        penceAwarded: 0,
        penceDisbursed: null,
        isOpenCall: false,
        onlyIndividuals: true,
      }
      programmes.set(fundId, programme)
      programme.currencies.add(grant.currency)
      programme.penceAwarded += toPence(grant.amountAwarded)
      if (grant.amountDisbursed !== undefined) {
        programme.penceDisbursed = (programme.penceDisbursed ?? 0) + toPence(grant.amountDisbursed)
      }
      programme.isOpenCall ||= isFromOpenCall(grant)
      programme.onlyIndividuals &&= grant.recipientOrganization === undefined
      return fundId
    },

    funds: () =>
      [...programmes].map(([fundId, programme]) => fund(organisationId, fundId, programme)),
  }
}

function fund(organisationId: string, fundId: string, programme: Programme): z.output<typeof Fund> {
  const { penceAwarded, penceDisbursed, currencies } = programme
  // Pounds and euros have no sum: a fund of several currencies says neither one nor the other.
  const [currency, ...others] = currencies
  const summable = others.length === 0
  return Fund.parse({
    fundId,
    managedBy: organisationId,
    name: programme.name,
    description: programme.description,
    identifier: programme.code,
    currency: summable ? currency : '',
    financials: {
      amountAwarded: summable ? penceAwarded / 100 : null,
      amountDisbursed: summable && penceDisbursed !== null ? penceDisbursed / 100 : null,
    },
    isOpenCall: programme.isOpenCall,
    recipientType: programme.onlyIndividuals ? 'individual' : 'organisation',
    external: { id: programme.key, source },
  })
}

/** A readable part of an id. Names that differ in case, space and dashes have one; others never share theirs. */
function slug(name: string): string {
  const whole = name
    .toLowerCase()
    .replace(/[\s\p{Dash_Punctuation}]+/gu, '-')
    .replace(/^-|-$/g, '')
  const readable = whole
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80)
  if (readable === whole) return readable
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 8)
  return readable ? `${readable}-${digest}` : digest
}
