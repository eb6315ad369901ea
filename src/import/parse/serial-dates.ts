const dayMs = 24 * 60 * 60 * 1000
// Excel counts 29 February 1900, which there was not: before 1 March 1900 its numbers mean other days.
const epoch = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
const minSerial = 61
const maxSerial = 2_958_465

/** Converts an Excel date number to `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`; undefined if it is not certainly a date. */
export function parseSerialDate(serial: number, is1904 = false): string | undefined {
  if (!(serial >= (is1904 ? 0 : minSerial) && serial <= maxSerial)) return undefined
  const seconds = Math.round((serial * dayMs) / 1000) * 1000
  const iso = new Date((is1904 ? epoch1904 : epoch) + seconds).toISOString()
  const [date = '', time = ''] = iso.slice(0, 19).split('T')
  return time === '00:00:00' ? date : `${date} ${time}`
}

/** A part of a day as Excel counts it, as `HH:mm:ss`; undefined where it is none. */
export function parseSerialTime(serial: number): string | undefined {
  if (!(serial >= 0 && serial < 1)) return undefined
  return new Date(Math.round((serial * dayMs) / 1000) * 1000).toISOString().slice(11, 19)
}
