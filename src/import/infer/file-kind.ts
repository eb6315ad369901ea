import { sha256 } from '../../platform/sha256.ts'
import { clearEvent } from '../apply/booking-event.ts'
import { dataHeadings } from '../apply/rejected-rows.ts'
import type { Mapping } from '../mapping.ts'
import { normaliseKey } from './survey.ts'

/** What the files with these headings have in common, whatever the order of their columns; rows that were not imported are of the kind that they came from. */
export const hashHeadings = (headings: readonly string[]): Promise<string> =>
  sha256(JSON.stringify(dataHeadings(headings).map(normaliseKey).toSorted()))

/** A mapping as it is kept for the next file of its kind, as JSON text: the fields that it added are in the schema by then. */
export const serialiseMapping = (mapping: Mapping): string =>
  JSON.stringify({ ...clearEvent(mapping), fields: [] })
