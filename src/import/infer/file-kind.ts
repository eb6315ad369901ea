import { sha256 } from '../../platform/sha256.ts'
import { clearEvent } from '../apply/booking-event.ts'
import { dataHeadings } from '../apply/rejected-rows.ts'
import type { Mapping } from '../mapping.ts'
import { normaliseKey } from './survey.ts'

/** Identifies files with the same headings in any order. A file of rejected rows has the hash of its original. */
export const hashHeadings = (headings: readonly string[]): Promise<string> =>
  sha256(JSON.stringify(dataHeadings(headings).map(normaliseKey).toSorted()))

/** Serialises a mapping for the next file of its kind. By then the schema has the added fields. */
export const serialiseMapping = (mapping: Mapping): string =>
  JSON.stringify({ ...clearEvent(mapping), fields: [] })
