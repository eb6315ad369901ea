/** Returns a name such as `survey-responses` without hyphens. */
export const collectionTitle = (name: string) => name.replaceAll('-', ' ')

/** Returns a number of records in words: "1 case note", "1,000 bookings". */
export const countRecords = (count: number, collection: string): string => {
  const title = collectionTitle(collection)
  return `${count.toLocaleString('en-GB')} ${count === 1 ? title.replace(/s$/, '') : title}`
}

/** Returns the name of one record as a sentence begins with it: "An event", "A survey response". */
export function oneRecord(singular: string): string {
  const title = singular.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${/^[aeiou]/.test(title) ? 'An' : 'A'} ${title}`
}
