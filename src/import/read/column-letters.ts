/** A column by its place, as a spreadsheet calls it: A to Z, AA, AB, … */
export const columnLetters = (index: number): string =>
  (index < 26 ? '' : columnLetters(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26))
