import { createHash } from 'node:crypto'
import type { AreaValues } from '../geography/lookup.ts'
import type { RecordValues } from '../model/record-properties.ts'
import { toPence } from '../platform/money.ts'
import type { disbursementRecord } from '../resources/disbursements.ts'
import type { fundRecord } from '../resources/funds.ts'
import type { grantApplicationRecord } from '../resources/grant-applications.ts'
import type { Publishing } from './settings.ts'

export type Application = RecordValues<typeof grantApplicationRecord>
export type Fund = Pick<
  RecordValues<typeof fundRecord>,
  'fundId' | 'name' | 'identifier' | 'recipientType'
>
export type Payment = Pick<
  RecordValues<typeof disbursementRecord>,
  'disbursementId' | 'grantId' | 'amount' | 'currency' | 'dates'
>

/** The prefix in a preview for an organisation without one. */
export const missingPrefix = '360G-…'

/** The records of a grant. */
export type AwardRecords = {
  application: Application
  fund: Fund | undefined
  /** The payments that were made. */
  payments: readonly Payment[]
  /** The areas of the recipient's postcode. */
  areas: AreaValues | undefined
  /** The times when the application was created and last changed. */
  created: string
  changed: string
}

/**
 * Converts an application with an award to a grant of the 360Giving Data Standard 1.4. Contacts, bank details, notes
 * and assessments never appear: the grant is built from the properties named here. A grant to an individual has no
 * text that somebody wrote, and no id of the records.
 */
export function toGrant(records: AwardRecords, { organisationName, grants }: Publishing) {
  const { application, fund, payments, areas, created, changed } = records
  const { prefix = missingPrefix, funder = '', hasDescriptions } = grants
  const { dates, currency } = application
  const isForIndividual = recipientType(application, fund) === 'individual'
  const id = isForIndividual
    ? `${prefix}-${anonymousId(application.applicationId, created)}`
    : grantId(application.applicationId, prefix)
  const paid = payments.reduce((total, { amount }) => total + toPence(amount ?? 0), 0) / 100
  const programme = fund?.name ?? ''
  const general = programme === '' ? 'A grant' : `A grant from ${programme}`
  return withoutEmpty({
    id,
    title: isForIndividual ? 'Grant to an individual' : application.title,
    description: !isForIndividual && hasDescriptions ? application.description : general,
    currency,
    amountAppliedFor: isForIndividual ? undefined : application.amountApplied,
    amountAwarded: application.amountAwarded ?? 0,
    amountDisbursed: payments.length > 0 ? paid : application.amountDisbursed,
    awardDate: dates.awarded?.slice(0, 10),
    plannedDates: toList(
      withoutEmpty({
        startDate: dates.plannedStart,
        endDate: dates.plannedEnd,
        duration: application.durationMonths || undefined,
      }),
    ),
    actualDates: toList(
      withoutEmpty({
        startDate: dates.grantStart?.slice(0, 10),
        endDate: dates.grantEnd?.slice(0, 10),
      }),
    ),
    recipientOrganization: isForIndividual ? undefined : [toRecipient(application, prefix)],
    recipientIndividual: isForIndividual
      ? { id: `${id}-recipient`, name: 'Individual Recipient' }
      : undefined,
    beneficiaryLocation: toList(toLocation(areas, isForIndividual ? 'lad' : 'ward')),
    fundingOrganization: [{ id: funder, name: organisationName }],
    grantProgramme: toList(withoutEmpty({ code: fund?.identifier, title: programme })),
    fromOpenCall: application.fromOpenCall ? 'Yes' : 'No',
    disbursementTransaction: isForIndividual ? undefined : payments.map(toTransaction),
    dateModified: changed,
  })
}

export type Grant = ReturnType<typeof toGrant>

export type RecipientType = 'individual' | 'organisation' | 'unknown'

/**
 * Whether the recipient of a grant is a person. A recipient without a type or an organisation's number is unknown, and
 * its name might be a person's.
 */
export function recipientType({ recipient }: Application, fund: Fund | undefined): RecipientType {
  const { type, organisationId, registeredId } = recipient
  if (/individual|person/i.test(type) || fund?.recipientType === 'individual') return 'individual'
  return type || organisationId || registeredId ? 'organisation' : 'unknown'
}

/** The id of a grant. That of an imported grant is public already. */
const grantId = (applicationId: string, prefix: string) =>
  applicationId.startsWith('360G-') ? applicationId : `${prefix}-${applicationId}`

/** An id that does not lead back to the record: nobody outside knows the time in milliseconds. */
const anonymousId = (applicationId: string, created: string) =>
  createHash('sha256').update(`${created} ${applicationId}`).digest('hex').slice(0, 20)

/** The registers of organisations (org-id.guide) by words of the type of registration, with the form of their numbers and their name in a grant. */
const registers = [
  { type: 'charity', pattern: /^\d{6,7}(-\d{1,3})?$/, register: 'GB-CHC', name: 'charityNumber' },
  { type: 'charity', pattern: /^SC\d{6}$/, register: 'GB-SC', name: 'charityNumber' },
  { type: 'charity', pattern: /^NIC\d{6}$/, register: 'GB-NIC', name: 'charityNumber' },
  {
    type: 'company',
    pattern: /^(\d{8}|[A-Z]{2}\d{6})$/,
    register: 'GB-COH',
    name: 'companyNumber',
  },
] as const

/** The register in which an organisation is, if its number has a form of that register. */
export const findRegister = ({ registeredId, registrationType }: Application['recipient']) =>
  registers.find(
    ({ type, pattern }) =>
      registrationType.toLowerCase().includes(type) && pattern.test(registeredId),
  )

/** The id of a recipient: an id of a public register if it has one, otherwise the funder's own. Undefined without either. */
export function recipientId(
  { recipient, granteeId }: Application,
  prefix: string,
): string | undefined {
  const register = findRegister(recipient)
  if (isPublicId(recipient.organisationId)) return recipient.organisationId
  if (register) return `${register.register}-${recipient.registeredId}`
  const own = recipient.organisationId || granteeId
  return own === '' ? undefined : `${prefix}-ORG:${own}`
}

/** Whether an id is one by org-id.guide or 360Giving. */
const isPublicId = (id: string) => /^(?:[A-Z]{2}-[A-Z\d]+-|360G-).+$/.test(id)

function toRecipient(application: Application, prefix: string) {
  const { recipient } = application
  const register = findRegister(recipient)
  return {
    id: recipientId(application, prefix) ?? '',
    name: recipient.name,
    ...(register && { [register.name]: recipient.registeredId }),
  }
}

const toTransaction = ({ disbursementId, amount, currency, dates }: Payment) =>
  withoutEmpty({
    id: disbursementId,
    transactionDate: dates.processed?.slice(0, 10),
    currency,
    value: amount,
  })

/** The types of area codes (360Giving's codelist) by the codes' beginnings. */
const areaTypes: Readonly<Record<string, string>> = {
  E05: 'WD',
  W05: 'WD',
  S13: 'WD',
  N08: 'WD',
  E06: 'UA',
  W06: 'UA',
  E07: 'NMD',
  E08: 'MD',
  E09: 'LONB',
  S12: 'CA',
  N09: 'LGD',
}

function toLocation(areas: AreaValues | undefined, area: 'ward' | 'lad') {
  const code = areas?.[`${area}Code`] ?? ''
  const type = areaTypes[code.slice(0, 3)]
  if (!type) return {}
  const name = [areas?.[area], area === 'ward' ? areas?.lad : undefined].filter(Boolean).join(', ')
  return { name, geoCode: code, geoCodeType: type }
}

/** A list with an object, unless that is empty. */
const toList = <Item extends object>(item: Item): Item[] =>
  Object.keys(item).length > 0 ? [item] : []

/** The properties that have a value. */
function withoutEmpty<Values extends object>(values: Values): Partial<Values> {
  const isEmpty = (value: unknown) =>
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => !isEmpty(value)),
  ) as Partial<Values>
}
