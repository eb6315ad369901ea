import type { PublishedGrant } from './published-grant.ts'

/** Whom a published grant went to, as a grant application shows it; an individual is no organisation and has no id of one. */
export function toRecipient(grant: PublishedGrant) {
  const organisation = grant.recipientOrganization
  const recipient = organisation ?? grant.recipientIndividual
  return {
    organisationId: organisation?.id,
    name: recipient?.name,
    email: recipient?.email,
    phone: recipient?.telephone,
    postcode: recipient?.postalCode,
    type: organisation ? 'organisation' : 'individual',
    ...(organisation && findRegistration(organisation)),
    address: joinAddress(
      recipient?.streetAddress,
      recipient?.addressLocality,
      recipient?.addressRegion,
    ),
    country: recipient?.addressCountry,
  }
}

// The registers of org-id.guide whose entries are charities or companies; other numbers stay in the id.
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
  const [, register = '', number] = /^([A-Z]{2}-[A-Z]+)-(.+)$/.exec(id) ?? []
  const registrationType = registers.get(register)
  return registrationType && { registeredId: number, registrationType }
}

/** The parts of an address, which may be of several lines, on one. */
function joinAddress(...parts: (string | undefined)[]): string {
  return parts
    .flatMap((part) => part?.split('\n') ?? [])
    .map((line) => line.trim().replace(/,$/, ''))
    .filter(Boolean)
    .join(', ')
}
