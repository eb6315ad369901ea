/** An address as a number with its length in bits. */
type Address = { bits: 32 | 128; value: bigint }

/** Returns whether an address is in one of these networks, each an address or a CIDR; false for an invalid address. */
export function isInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const found = addressOf(address ?? '')
  return found !== undefined && networks.some((network) => holds(network, found))
}

/** Returns the network of a client: an IPv4 address, or the /64 of an IPv6 address, where one client may use any address. Returns other text unchanged. */
export function clientNetwork(text: string): string {
  const { bits, value } = addressOf(text) ?? {}
  if (value === undefined) return text
  return bits === 32 ? `${value}/32` : `${value >> 64n}/64`
}

/** Returns the error message for an invalid network; undefined for a valid one. */
export function validateNetwork(text: string): string | undefined {
  const network = networkOf(text)
  if (!network)
    return 'must be an address or a network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.'
  const { bits, value, prefix } = network
  const isWhole = value % (1n << BigInt(bits - prefix)) === 0n
  return isWhole ? undefined : `must have no bits set beyond the first ${prefix}.`
}

function holds(text: string, { bits, value }: Address): boolean {
  const network = networkOf(text)
  if (!network || network.bits !== bits) return false
  const host = BigInt(bits - network.prefix)
  return value >> host === network.value >> host
}

function networkOf(text: string): (Address & { prefix: number }) | undefined {
  const [, address = '', , length] = /^([^/]*)(\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const found = addressOf(address)
  if (!found) return undefined
  const prefix = length === undefined ? found.bits : Number(length)
  return prefix <= found.bits ? { ...found, prefix } : undefined
}

/** Parses an IPv4 or IPv6 address; IPv4 in the form of IPv6 counts as IPv4. */
function addressOf(text: string): Address | undefined {
  const groups = text.includes(':') ? groupsOf(text) : fourth(text)
  if (!groups) return undefined
  const value = groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n)
  if (groups.length === 2) return { bits: 32, value }
  return value >> 32n === 0xffffn ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value }
}

/** Returns the eight groups of an IPv6 address (RFC 4291, 2.2). */
function groupsOf(text: string): number[] | undefined {
  const [head = '', tail, more] = text.split('::')
  // Only the last two groups may be written as four bytes.
  const first = groupsBetween(head, tail === undefined)
  const last = groupsBetween(tail ?? '', true)
  if (!first || !last || more !== undefined) return undefined
  const left = 8 - first.length - last.length
  if (tail === undefined ? left !== 0 : left < 1) return undefined
  return [...first, ...Array<number>(left).fill(0), ...last]
}

function groupsBetween(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const groups = parts.flatMap((part, place) => {
    if (/^[0-9a-f]{1,4}$/i.test(part)) return [Number.parseInt(part, 16)]
    return (isEnd && place === parts.length - 1 && fourth(part)) || [Number.NaN]
  })
  return groups.some(Number.isNaN) ? undefined : groups
}

/** Returns the two groups of 16 bits of an IPv4 address. */
function fourth(text: string): number[] | undefined {
  const bytes = text.split('.')
  const areBytes = bytes.every((byte) => /^(0|[1-9]\d{0,2})$/.test(byte) && Number(byte) <= 255)
  if (bytes.length !== 4 || !areBytes) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
  return [a * 256 + b, c * 256 + d]
}
