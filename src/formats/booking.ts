import type { Column } from './list-page.ts'
import {
  fieldColumns,
  getLayout,
  type PersonLayout,
  selectFields,
  serialiseFields,
} from './person-layout.ts'

/** The layout of the fields that a profile shows: those chosen, or the schema's own defaults. */
export function buildProfileLayout(
  schema: string | undefined,
  profileFields?: string,
): PersonLayout {
  const layout = getLayout(schema)
  return selectFields(layout, profileFields?.split(',') ?? layout.profileFieldIds)
}

/** A booking as it is kept, with its member's document if there is one, and what comes behind it as JSON text. */
type ListedBooking = {
  document: string
  memberId: string
  member?: string | undefined
  times?: string
}

/** A booking with its member's document as it is kept, for files to take columns from. */
export const addMemberDocument = ({ document, member = '{}', times = '' }: ListedBooking) =>
  `${document.slice(0, -1)},"profile":${member}${times}}`

/** The columns of profiles in files. */
export const profileColumns = (layout: PersonLayout): Column[] =>
  fieldColumns(layout).map(({ path, name, label }) => ({
    path: ['profile', ...path],
    name: `profile.${name}`,
    label: `profile.${label}`,
  }))

/** A booking with the profile of its member, and what comes behind it. */
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
