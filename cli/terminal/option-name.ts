/** The name of the option for a property: `allow-from` for `allowFrom`. */
export const toOptionName = (property: string) =>
  property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
