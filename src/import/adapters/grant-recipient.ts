import type { PublishedGrant } from './published-grant.ts'

// Also clears what an earlier file said of an organisation.
const individual = {
  type: 'individual',
  organisationId: '',
  registeredId: '',
  registrationType: '',
}

/** Returns the recipient of a published grant; properties that the file lacks are undefined. */
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

// Registers of org-id.guide that list charities or companies; other numbers stay in the id.
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

/** Joins the parts of an address, which may have several lines, into one line; undefined if the file has none. */
function joinAddress(...parts: (string | undefined)[]): string | undefined {
  if (parts.every((part) => part === undefined)) return undefined
  return parts
    .flatMap((part) => part?.split('\n') ?? [])
    .map((line) => line.trim().replace(/,$/, ''))
    .filter(Boolean)
    .join(', ')
}
