/**
 * The most that this service uses. `test/store/measured-costs.test.ts` measures rows, bytes, KV reads and log lines in
 * workerd; `test/cli/cost.test.ts` compares CPU times with `bench/RESULTS.md`.
 */
export const measured = {
  /** For a member of 14 fields, the second thousand of an organisation; later ones write up to three fewer. */
  rowsWrittenPerLoadedRecord: 45,
  /** For a record of any collection with all its properties. */
  maxRowsWrittenPerLoadedRecord: 98,
  rowsReadPerLoadedRecord: 84,
  bytesPerRecord: 1800,
  /** For a page of 100, with or without filters, and for each member of the organisation. */
  rowsReadPerPage: 210,
  rowsReadPerPageAndMember: 1 / 400,
  /** For a change of two fields of a member by `PATCH`, in an organisation with a webhook. */
  rowsWrittenPerChange: 19,
  rowsReadPerChange: 293,
  /** The history and the previous document. */
  bytesPerChange: 830,
  /** Sends the message, and forgets it after 30 days. */
  rowsWrittenPerMessage: 5,
  rowsReadPerMessage: 31,
  /** Once a day, for the size of the organisation. */
  rowsReadPerMeasuredRecord: 1,
  /** For the requests of a key to a collection in a minute of one isolate. */
  rowsWrittenPerUse: 2,
  /** The first request of a key in an isolate; later ones read none. */
  kvReadsPerKey: 1,
  logLinesPerRefusal: 1,
  bytesPerLogLine: 250,
  /** Of the local runtime, with the time of the database, which Cloudflare does not charge for. */
  cpuMsPerPage: 2.3,
  /** For the first request of a new isolate. */
  cpuMsPerIsolate: 31,
  /** The time until the response, which is longer than its CPU time. */
  cpuMsPerChange: 5.4,
}
