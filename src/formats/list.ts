import { negotiateFormat } from '../http/accept.ts'
import { createCsvWriter } from './csv.ts'
import type { Format, FormatOptions, FormatWriter } from './list-page.ts'
import { ndjsonWriter } from './ndjson.ts'
import type { ResponseContext } from './stream.ts'

/** The media type of each format. */
export const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const satisfies Record<Format, string>

/** The writers of the formats besides JSON, which write all records. */
export const writers: Record<Exclude<Format, 'json'>, (options: FormatOptions) => FormatWriter> = {
  csv: createCsvWriter,
  ndjson: () => ndjsonWriter,
}

/** Examples of the formats besides JSON by media type, for contracts. */
export const otherFormats = {
  [mediaTypes.csv]: 'id,name\r\n1,Ada Obi\r\n',
  [mediaTypes.ndjson]: '{"id":"1","name":"Ada Obi"}\n',
}

/** The format that a request asks for. */
export const listFormat = (
  { req }: ResponseContext,
  { $format }: { $format?: Format | undefined },
): Format => $format ?? negotiateFormat(mediaTypes, req.header('Accept'))
