import type { Collection } from '../model/collection.ts'
import type { Kind } from '../model/properties/schema.ts'
import type { PersonDraft } from '../store/sign-up/form-drafts.ts'
import type { PersonMessage } from '../store/sign-up/person-messages.ts'
import type { PersonSignUp } from '../store/sign-up/person-sign-ups.ts'
import type { PersonLayout } from './person-layout.ts'

/** The visible records that refer to a person or have their details. */
export type LinkedRecords = {
  linked: LinkedCollection[]
  /** The collections that are hidden from the credential. */
  hiddenCollections: Collection[]
  /** The records that also concern other people; reading `linked` fills the list. */
  shared: { collection: string; id: string }[]
  /** Sentences about the hidden data; empty without restrictions. */
  withheld: string[]
  /** The e-mail addresses of the person, in every spelling that is looked up. */
  emails: readonly string[]
}

/** The records of a collection that concern a person, as pages of JSON texts without other people's ids. */
type LinkedCollection = { collection: Collection; pages(): AsyncGenerator<string[]> }

/** A previous version of a person: when it was replaced, its stored document, and as the single `GET` shows it, all as JSON texts. */
type PersonVersion = { replacedAt: string; document: string; text: string }

/** The data about a person that the credential may see. */
export type PersonalData = LinkedRecords & {
  kind: Kind
  id: string
  organisation: string
  /** The time of the export. */
  at: string
  /** The stored record as JSON text, or the last version of a deleted one, and the layout of its fields. */
  document: string
  /** The time of the deletion; undefined if the record exists. */
  deletedAt: string | undefined
  layout: PersonLayout
  /** The properties of the single `GET` response, as JSON texts. */
  properties: Record<string, string>
  /** The previous versions of the record, newest first. */
  previousVersions: readonly PersonVersion[]
  /** Reads the sign-ups behind a member's bookings, and the sign-ups that the person made for others. */
  readSignUps(): Promise<PersonSignUp[]>
  /** Reads the messages to the person, also those to the addresses on their sign-ups. */
  readMessages(signUps: readonly PersonSignUp[]): Promise<PersonMessage[]>
  /** Reads the answers that the person has saved in forms but not sent. */
  readDrafts(): Promise<PersonDraft[]>
  /** The values of fields that are no longer in the schema. */
  otherValues: Record<string, unknown>
}
