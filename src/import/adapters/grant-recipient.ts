import type { PublishedGrant } from './published-grant.ts'

// Clears the organisation's values from an earlier file.
const individual = {
  type: 'individual',
  organisationId: '',
  registeredId: '',
  registrationType: '',
}

/** The recipient of a published grant; properties missing from the file are undefined. */
export function toRecipient(grant: PublishedGrant) {
  const organisation = grant.recipientOrganization
  const recipient = organisation ?? grant.recipientIndividual
  return {
    name: recipient?.name,
    email: recipient?.email,
    phone: recipient?.telephone,
    postcode: recipient?.postalCode,
    ...(organisation
      ? { type: 'organisation', organisationId: organisation.id, ...findRegistration(organisation) }
      : individual),
    address: joinAddress(
      recipient?.streetAddress,
      recipient?.addressLocality,
      recipient?.addressRegion,
    ),
    country: recipient?.addressCountry,
  }
}

// The org-id.guide registers of charities and companies; other numbers stay in the id only.
const registers: ReadonlyMap<string, string> = new Map([
  ['GB-CHC', 'charity'],
  ['GB-SC', 'charity'],
  ['GB-NIC', 'charity'],
  ['GB-COH', 'company'],
])

function findRegistration(organisation: NonNullable<PublishedGrant['recipientOrganization']>) {
  const { id, charityNumber, companyNumber } = organisation
  if (charityNumber) return { registeredId: charityNumber, registrationType: 'charity' }
  if (companyNumber) return { registeredId: companyNumber, registrationType: 'company' }
  const [, register = '', number] = /^([A-Z]{2}-[A-Z]+)-(.+)$/.exec(id ?? '') ?? []
  const registrationType = registers.get(register)
  return registrationType ? { registeredId: number, registrationType } : {}
}

/** Joins the parts of an address and their lines into one line. Returns undefined if the file has no address. */
function joinAddress(...parts: (string | undefined)[]): string | undefined {
  if (parts.every((part) => part === undefined)) return undefined
  return parts
    .flatMap((part) => part?.split('\n') ?? [])
    .map((line) => line.trim().replace(/,$/, ''))
    .filter(Boolean)
    .join(', ')
}
