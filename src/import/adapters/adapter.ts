import type { WriteParts } from '../../records/write.ts'
import type { ImportResult } from '../report/import-result.ts'
import type { Source } from '../source/source.ts'

/** The organisation that receives the records, and its databases. */
export type AdapterDestination = WriteParts & { organisationId: string }

/** The result of an import, with the number of valid records of each kind. */
export type AdapterResult = ImportResult & { numbers: Readonly<Record<string, number>> }

/** Imports files in a published format as records of several collections. */
export type Adapter = {
  /** The name of its option on the command line. */
  name: string
  description: string
  /** Reads the whole file, so that no part of a truncated one is imported. */
  check(source: Source): Promise<{ records: number; errors: ImportResult['errors'] }>
  /** Imports valid records and reports the others, because only the publisher can correct them. */
  import(source: Source, destination: AdapterDestination): Promise<AdapterResult>
  /** Describes the imported records. */
  summarise(result: AdapterResult): string
}
