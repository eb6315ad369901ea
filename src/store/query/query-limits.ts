/** The sizes of the steps in which a query reads. Beyond them, `maxRowsRead` bounds the whole query. */
export const queryLimits = {
  /** The maximum number of terms that a statement goes through. */
  terms: 40_000,
  /** The number of values of a field of an order beyond which records without one are scanned for. */
  termsOfOrder: 5000,
  /** The number of bitmaps of the first window of blocks. A further one has four times as many. */
  windowBitmaps: 10_000,
  /** The number of bitmaps up to which a window has all blocks, even if fewer probably have the page. */
  wholeBitmaps: 1000,
  /** The number of bitmaps of the first step along an order. A further one has four times as many, up to the maximum. */
  stepBitmaps: 1000,
  maxStepBitmaps: 10_000,
  /** The number of matches up to which all are sorted rather than walked. */
  sortedMatches: 1000,
  /** The number of records with the same first value up to which all are sorted. */
  sortedGroup: 5000,
  /** The maximum number of documents whose long texts are compared for a window, and for a total or an order. */
  windowTexts: 2000,
  allTexts: 10_000,
  /** The size of a page of an export in bytes. Only its last record exceeds it. */
  pageBytes: 2 ** 22,
}
