/** Turns a name of the contract into words: `capacityTotal` becomes “Capacity total”. */
export function toWords(name: string): string {
  const words = name
    .replaceAll(/[-_]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
  return words === words.toUpperCase()
    ? words.charAt(0) + words.slice(1).toLowerCase()
    : words.charAt(0).toUpperCase() + words.slice(1)
}
