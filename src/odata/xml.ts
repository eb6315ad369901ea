/** The attributes of an XML element. */
type Attributes = Readonly<Record<string, string>>

export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const start = `<${name}${pairs.join('')}`
  return children.length > 0 ? `${start}>${children.join('')}</${name}>` : `${start}/>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes a text for XML and removes the characters that XML 1.0 does not allow. */
const escapeXml = (text: string) =>
  text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')
