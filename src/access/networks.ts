import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Returns whether an address is in one of the networks (addresses or CIDR ranges); false for an invalid address. */
export function isInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const client = parseAddress(address ?? '')
  return client !== undefined && networks.some((network) => contains(network, client))
}

/** Returns the network of a client: its IPv4 address, or the /64 of its IPv6 address, because one client may use all of a /64. Returns other text unchanged. */
export function clientNetwork(text: string): string {
  const address = parseAddress(text)
  if (!address) return text
  if (address instanceof ipaddr.IPv4) return `${address}/32`
  return `${address.parts.slice(0, 4).join(':')}/64`
}

/** Returns the error message for an invalid network; undefined for a valid one. */
export function validateNetwork(text: string): string | undefined {
  const network = parseNetwork(text)
  if (!network)
    return 'must be an address or a network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.'
  const { address, prefix } = network
  const first = (address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(
    `${address}/${prefix}`,
  )
  return `${first}` === `${address}`
    ? undefined
    : `must have no bits set beyond the first ${prefix}.`
}

function contains(text: string, client: Address): boolean {
  const network = parseNetwork(text)
  return network?.address.kind() === client.kind() && client.match(network.address, network.prefix)
}

function parseNetwork(text: string): { address: Address; prefix: number } | undefined {
  const [, host = '', , length] = /^([^/]*)(\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const address = parseAddress(host)
  if (!address) return undefined
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  return prefix <= bits ? { address, prefix } : undefined
}

/** Parses an IPv4 or IPv6 address without a zone. An IPv4-mapped IPv6 address becomes IPv4. */
function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
  }
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  return ipaddr.process(text)
}
