import { fieldColumns, fieldObjects, type Layout, layoutOf, only } from '../people/layout.ts'
import type { Column } from './list-page.ts'

/** The layout of the fields that a profile shows: those chosen, or the schema's own defaults. */
export function profileLayout(schema: string | undefined, profileFields?: string): Layout {
  const layout = layoutOf(schema)
  return only(layout, profileFields?.split(',') ?? layout.defaults)
}

/** A booking as it is kept, with its member's document if there is one, and what comes behind it as JSON text. */
type KeptForList = {
  document: string
  memberId: string
  member?: string | undefined
  times?: string
}

/** A booking with its member's document as it is kept, for files to take columns from. */
export const withMember = ({ document, member = '{}', times = '' }: KeptForList) =>
  `${document.slice(0, -1)},"profile":${member}${times}}`

/** The columns of profiles in files. */
export const profileColumns = (layout: Layout): Column[] =>
  fieldColumns(layout).map(({ path, name, label }) => ({
    path: ['profile', ...path],
    name: `profile.${name}`,
    label: `profile.${label}`,
  }))

/** A booking with the profile of its member, and what comes behind it. */
export function withProfile(
  { document, memberId, member, times = '' }: KeptForList,
  layout: Layout,
): string {
  const id = JSON.stringify(memberId)
  const fields = [
    `{"key":"profileId","label":"Profile ID","value":${id},"type":"string"}`,
    ...(member === undefined ? [] : fieldObjects(layout, member)),
  ]
  return `${document.slice(0, -1)},"profile":{"memberId":${id},"fields":[${fields.join(',')}]}${times}}`
}
