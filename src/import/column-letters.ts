/** A column by its place, as a spreadsheet calls it: A to Z, AA, AB, … */
export const columnLetters = (place: number): string =>
  (place < 26 ? '' : columnLetters(Math.floor(place / 26) - 1)) +
  String.fromCharCode(65 + (place % 26))
