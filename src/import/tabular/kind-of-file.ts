import { sha256 } from '../../platform/sha256.ts'
import { withoutEvent } from './booking-event.ts'
import type { Mapping } from './mapping.ts'
import { ownHeadings } from './rest.ts'
import { keyText } from './survey.ts'

/** What the files with these headings have in common, whatever the order of their columns; rows that were not imported are of the kind that they came from. */
export const kindOfFile = (headings: readonly string[]): Promise<string> =>
  sha256(JSON.stringify(ownHeadings(headings).map(keyText).toSorted()))

/** A mapping as it is kept for the next file of its kind, as JSON text: the fields that it added are in the schema by then. */
export const mappingToKeep = (mapping: Mapping): string =>
  JSON.stringify({ ...withoutEvent(mapping), fields: [] })
