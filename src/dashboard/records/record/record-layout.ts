import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { ReferencingRecords } from '../../collection/read.ts'
import type { DashboardEnv } from '../../session/signed-in.ts'
import type { RecordReads, RecordView } from './load.ts'

export type RecordViewProps = { c: Context<DashboardEnv>; view: RecordView }

/** What a section with the records of a collection that refer to the record shows. */
export type RelatedProps = RecordViewProps & { group: ReferencingRecords }

/** A part of a record's page, below each other. */
export type RecordSection = {
  /** Whether there is anything to show; by default always. */
  isShown?(view: RecordView): boolean
  /** The link to it at the top of a phone's page. */
  link?: { id: string; name: string; count?(view: RecordView): number }
  Content(props: RecordViewProps): Child
}

/** What the page of a collection's records shows. */
export type RecordLayout = {
  reads: RecordReads
  /** Whether the page shows the initials of the title, as an avatar. */
  hasInitials?: true
  /** The line below the title. */
  lead?(props: RecordViewProps): Child
  /** The buttons beside the title; null without any. */
  actions(props: RecordViewProps): Child
  sections: readonly RecordSection[]
  /** The facts beside the sections. */
  Aside(props: RecordViewProps): Child
}
