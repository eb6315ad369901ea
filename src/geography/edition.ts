/** The current edition of the postcode directory, such as `2025-11`, or null if none is loaded. */
export const readEdition = (geography: D1Database): Promise<string | null> =>
  geography
    .prepare("SELECT edition FROM editions WHERE status = 'serving'")
    .first<string>('edition')
