import ipaddr from 'ipaddr.js'
import { type Address, parseIpAddress } from '../platform/client-network.ts'

/** Whether an address is in one of the networks (addresses or CIDR ranges); false for an invalid address. */
export function isInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const client = parseIpAddress(address ?? '')
  return client !== undefined && networks.some((network) => contains(network, client))
}

/** The error message for an invalid network; undefined for a valid one. */
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
  const address = parseIpAddress(host)
  if (!address) return undefined
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  return prefix <= bits ? { address, prefix } : undefined
}
