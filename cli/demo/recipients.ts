import { daysAfter } from './calendar.ts'
import type { Fund } from './funds.ts'
import type { Member } from './members.ts'
import type { Partner } from './partners.ts'

export type Recipient = {
  granteeId: string
  /** As the application shows it (contract 2.11). */
  shown: Record<
    | 'organisationId'
    | 'name'
    | 'email'
    | 'phone'
    | 'postcode'
    | 'type'
    | 'registeredId'
    | 'registrationType'
    | 'address'
    | 'country',
    string
  >
}

/** Who could apply to the fund on `day`: partners, or members of a month's standing. */
export const recipients = (
  { recipientType }: Fund,
  day: string,
  partners: Partner[],
  members: Member[],
): Recipient[] =>
  recipientType === 'organisation'
    ? partners.map(partnerRecipient)
    : members.filter(({ Joined }) => Joined <= daysAfter(day, -30)).map(memberRecipient)

function partnerRecipient(partner: Partner): Recipient {
  return {
    granteeId: partner.partnerId,
    shown: {
      organisationId: partner.partnerId,
      name: partner['Organisation Name'],
      email: partner.Email,
      phone: partner.Phone,
      postcode: partner.Postcode,
      type: 'organisation',
      registeredId: partner['Charity Number'],
      registrationType: 'GB-CHC',
      address: partner.Address,
      country: partner.Country,
    },
  }
}

function memberRecipient(member: Member): Recipient {
  return {
    granteeId: member.memberId,
    shown: {
      organisationId: '',
      name: member['Full Name'],
      email: member.Email ?? '',
      phone: member.Phone ?? '',
      postcode: member.Postcode,
      type: 'individual',
      registeredId: '',
      registrationType: '',
      address: '',
      country: member.Country,
    },
  }
}
