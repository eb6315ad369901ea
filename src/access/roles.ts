import type { Permission } from './permissions.ts'
import type { Restrictions } from './restrictions.ts'

/** The roles of people in an organisation, in the order in which pages and commands offer them. */
export const roles = [
  'reader',
  'reader-without-contact-details',
  'editor',
  'admin',
  'steward',
] as const

export type Role = (typeof roles)[number]

type RoleAccess = {
  label: string
  /** What somebody with the role sees and does, in a sentence. */
  summary: string
  permissions: readonly Permission[]
  restrictions?: Restrictions
}

const everything = ['read', 'create-members', 'write'] as const

export const roleTable: Readonly<Record<Role, RoleAccess>> = {
  reader: {
    label: 'Reader',
    summary: 'Sees all records, and changes nothing.',
    permissions: ['read'],
  },
  'reader-without-contact-details': {
    label: 'Reader without contact details',
    summary:
      'Sees all records without e-mail addresses, phone numbers, addresses, postcodes and free text, which may hold them, and changes nothing.',
    permissions: ['read'],
    restrictions: { hideFields: ['email', 'free text', 'phone', 'postcode'] },
  },
  editor: {
    label: 'Editor',
    summary: 'Sees all records, and creates, changes and deletes them.',
    permissions: everything,
  },
  admin: {
    label: 'Administrator',
    summary: 'Does all that an editor does, and manages keys, fields and people.',
    permissions: everything,
  },
  steward: {
    label: 'Steward',
    summary: 'Takes the registers of events, and sees nothing else.',
    permissions: ['take-registers'],
  },
}

/** A role's restrictions as a key stores its own (`serialiseRestrictions`), without loading Zod. */
export function restrictionsOfRole(role: Role): string | null {
  const { restrictions } = roleTable[role]
  return restrictions ? JSON.stringify(restrictions) : null
}
