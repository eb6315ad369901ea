const day = 24 * 60 * 60 * 1000
// Excel counts 29 February 1900, which there was not: before 1 March 1900 its numbers mean other days.
const epoch = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
const firstSure = 61
const lastSure = 2_958_465

/** The day and time that Excel's number stands for, as `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`; undefined where it is none or not sure to be. */
export function fromSerial(serial: number, is1904 = false): string | undefined {
  if (!(serial >= (is1904 ? 0 : firstSure) && serial <= lastSure)) return undefined
  const seconds = Math.round((serial * day) / 1000) * 1000
  const at = new Date((is1904 ? epoch1904 : epoch) + seconds).toISOString()
  const [date = '', time = ''] = at.slice(0, 19).split('T')
  return time === '00:00:00' ? date : `${date} ${time}`
}

/** A part of a day as Excel counts it, as `HH:mm:ss`; undefined where it is none. */
export function timeFromSerial(serial: number): string | undefined {
  if (!(serial >= 0 && serial < 1)) return undefined
  return new Date(Math.round((serial * day) / 1000) * 1000).toISOString().slice(11, 19)
}
