import type { ListColumn } from './list-page.ts'
import {
  fieldColumns,
  getLayout,
  type PersonLayout,
  selectFields,
  serialiseFields,
} from './person-layout.ts'

/** The layout of a profile: the chosen fields, or the schema's defaults. */
export function buildProfileLayout(
  schema: string | undefined,
  profileFields?: string,
): PersonLayout {
  const layout = getLayout(schema)
  return selectFields(layout, profileFields?.split(',') ?? layout.profileFieldIds)
}

/** A stored booking with its member's document, if any, and the time properties as JSON text. */
type ListedBooking = {
  document: string
  memberId: string
  member?: string | undefined
  times?: string
}

/** Adds the member's document to a booking as `profile`, for the columns of CSV. */
export const addMemberDocument = ({ document, member = '{}', times = '' }: ListedBooking) =>
  `${document.slice(0, -1)},"profile":${member}${times}}`

export const profileColumns = (layout: PersonLayout): ListColumn[] =>
  fieldColumns(layout).map(({ path, name, label }) => ({
    path: ['profile', ...path],
    name: `profile.${name}`,
    label: `profile.${label}`,
  }))

/** Adds the member's profile and the time properties to a booking. */
export function addProfile(
  { document, memberId, member, times = '' }: ListedBooking,
  layout: PersonLayout,
): string {
  const id = JSON.stringify(memberId)
  const fields = [
    `{"key":"profileId","label":"Profile ID","value":${id},"type":"string"}`,
    ...(member === undefined ? [] : serialiseFields(layout, member)),
  ]
  return `${document.slice(0, -1)},"profile":{"memberId":${id},"fields":[${fields.join(',')}]}${times}}`
}
