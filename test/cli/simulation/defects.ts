/** A mistake to make in the service. */
export type Defect = {
  /** Changes the service's statements. */
  rewrite(query: string): string
  /** The error of a history that shows it. */
  error: RegExp
  /** A seed that has shown it. The search begins there, and is short unless the service or the simulation has changed. */
  firstSeed: number
}

/** The defects that the simulation must find. */
export const defects: Record<string, Defect> = {
  'a lost update': {
    // A write replaces a record without a comparison of its version.
    rewrite: (query) =>
      query.replace(
        "WHERE required.value ->> '$.version' IS NOT (",
        "WHERE false AND required.value ->> '$.version' IS NOT (",
      ),
    error: /^An update of one of the \w+ is lost/,
    firstSeed: 14,
  },
  'a place given twice': {
    // Places are given to people who wait without counting them in the same transaction.
    rewrite: (query) => query.replace('WHEN (NOT ifnull((', 'WHEN (false AND NOT ifnull(('),
    error: /^A place was given twice/,
    firstSeed: 5,
  },
  'a message skipped': {
    // The cursor of a webhook passes changes that were made during its round.
    rewrite: (query) =>
      query.replaceAll(
        'iif(cursor = ?, ?, cursor)',
        'iif(cursor = ?, max(?, (SELECT version FROM organisations WHERE id = organisation_id)), cursor)',
      ),
    error: /^A message was skipped/,
    firstSeed: 5,
  },
}
