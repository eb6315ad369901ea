import { isLoopback } from '../platform/loopback.ts'
import { allowsLocalReceivers } from './local-receivers.ts'

/** The hosts of this service, and whether webhooks may use receivers on the local machine. */
export type AddressRules = { ownHosts: readonly string[]; allowsLocal: boolean }

/** The rules of an installation that is called at `host`. */
export const addressRulesOf = (
  settings: { OWN_HOSTS?: string; [allowsLocalReceivers]?: true },
  host: string,
): AddressRules => ({
  ownHosts: [...parseHosts(settings.OWN_HOSTS), host],
  allowsLocal: allowsLocalReceivers in settings,
})

const maxCharacters = 2048

// IANA's special-use names and names of private networks and clusters: they do not exist on the internet.
const reservedNames =
  /(^|\.)(alt|arpa|consul|corp|example|example\.(com|net|org)|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|private|svc|test)$/

// Public names with subdomains that resolve to private addresses: that of this machine, the one in the name, or a changing one.
const privateAddressNames =
  /(^|\.)(1u\.ms|(nip|sslip|xip|backname)\.io|(fuf|localtest|lvh|traefik|vcap)\.me|127-0-0-1\.org\.uk|(ddev|lndo)\.site|lacolhost\.com|local\.gd|local-ip\.(co|sh)|localho\.st|localhost\.direct|rbndr\.us|xip\.name)$/

/**
 * An error message for a webhook's address, or undefined if it is valid.
 * Allows https on port 443 of a public name outside this service; `allowsLocal` adds this machine.
 */
export function validateAddress(
  text: string,
  { ownHosts, allowsLocal }: AddressRules,
): string | undefined {
  const url = text.length <= maxCharacters && URL.canParse(text) ? new URL(text) : undefined
  if (!url)
    return `must be an address of at most ${maxCharacters} characters, such as https://hooks.example.org/changes.`
  const { protocol, hostname, host, port, username, password } = url
  if (username || password || hasEmptyUserInfo(text))
    return 'must not contain a user name or password.'
  if (ownHosts.some((name) => isOwnHost(name, host)))
    return 'must not be an address of this service.'
  if (allowsLocal && isLoopback(hostname) && /^https?:$/.test(protocol)) return undefined
  if (protocol !== 'https:') return 'must begin with https://.'
  // URL normalises every form of an IPv4 address to dotted decimals.
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith('['))
    return 'must have a host name, not an IP address.'
  if (!hostname.includes('.')) return `must have a public name: ${hostname} has no dot.`
  if (hostname.endsWith('.')) return 'must have a name that does not end in a dot.'
  if (hostname.split('.').includes('')) return 'must have a name without empty parts.'
  if (reservedNames.test(hostname))
    return `must have a public name: ${hostname} is reserved for other uses.`
  if (privateAddressNames.test(hostname))
    return `must have a public name: ${hostname} may resolve to an address of a private network.`
  if (port) return 'must not have a port: messages are sent to 443.'
  return undefined
}

/** Whether an address has an `@` before its host. URL drops an empty user name and password. */
const hasEmptyUserInfo = (text: string) => /^[^:]*:[/\\\s]*[^/\\?#]*@/.test(text)

/** Parses the host names in `OWN_HOSTS`, separated by commas. */
export const parseHosts = (text = '') => text.split(',').filter(Boolean)

/** The host of an address for logs and lists: path and query may be secret. */
export const hostOf = (url: string) => new URL(url).host

// `*` matches one label. The host of a preview has a prefix and a hyphen before the Worker's name.
function isOwnHost(pattern: string, host: string): boolean {
  if (!pattern.includes('*')) return host === pattern
  const [prefix = '', suffix = ''] = pattern.split('*')
  return (
    host.endsWith(suffix) &&
    host.slice(0, -suffix.length).split('.').length === 2 &&
    (host.startsWith(prefix) || host.split('.')[0]?.endsWith(`-${prefix.slice(0, -1)}`) === true)
  )
}
