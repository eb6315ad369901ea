import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Parses an IPv4 or IPv6 address without a zone. An IPv4-mapped IPv6 address becomes IPv4. */
export function parseIpAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
  }
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  return ipaddr.process(text)
}

/** The network of a client: its IPv4 address, or the /64 of its IPv6 address, because one client may use all of a /64. Returns undefined for other text. */
export function clientNetwork(text: string): string | undefined {
  const address = parseIpAddress(text)
  if (!address) return undefined
  if (address instanceof ipaddr.IPv4) return `${address}/32`
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}
