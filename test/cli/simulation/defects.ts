/** A mistake to make in the service. */
export type Defect = {
  /** Changes the service's statements. */
  rewrite(query: string): string
  /** The error of a history that shows it. */
  error: RegExp
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
  },
}
