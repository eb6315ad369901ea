/** Where this service answers itself, and whether it may send to its own machine. */
export type AddressRules = { ownHosts: readonly string[]; allowsLocal: boolean }

const maxCharacters = 2048

// IANA's special-use names, and the names that private networks use: none of them is on the internet.
const reservedNames =
  /(^|\.)(alt|arpa|corp|example|example\.(com|net|org)|home|internal|intranet|invalid|lan|local|localhost|onion|private|test)$/

/**
 * What is wrong with an address to send to, in words; undefined when nothing is (additions 3). It must be
 * https on a public name and the usual port, and not the service itself; or with `local` a port of this machine.
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
    return 'must not hold a user name or a password.'
  if (ownHosts.some((name) => isOwnHost(name, host))) return 'must not be this service itself.'
  if (allowsLocal && isLoopback(hostname) && /^https?:$/.test(protocol)) return undefined
  if (protocol !== 'https:') return 'must begin with https://.'
  // However it was spelt: the parser writes every number that is an IPv4 address with dots.
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith('['))
    return 'must have a name, not an IP address.'
  if (!hostname.includes('.')) return `must have a public name: ${hostname} has no dot.`
  if (hostname.endsWith('.')) return 'must have a name that does not end in a dot.'
  if (hostname.split('.').includes('')) return 'must have a name without empty parts.'
  if (reservedNames.test(hostname))
    return `must have a public name: ${hostname} is set aside for other uses.`
  if (port) return 'must not name a port: messages are sent to 443.'
  return undefined
}

/** Whether an address has an `@` before its host: the parser drops a user name and password that are empty. */
const hasEmptyUserInfo = (text: string) => /^[^:]*:[/\\\s]*[^/\\?#]*@/.test(text)

/** The names in `OWN_HOSTS`: separated by commas. */
export const parseHosts = (text = '') => text.split(',').filter(Boolean)

/** An address as logs and lists may show it: without its path and query, which may be secret. */
export const hostOf = (url: string) => new URL(url).host

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

// A name in which `*` stands for a label; a preview of a Worker has a label of its own before the Worker's name.
function isOwnHost(pattern: string, host: string): boolean {
  if (!pattern.includes('*')) return host === pattern
  const [prefix = '', suffix = ''] = pattern.split('*')
  return (
    host.endsWith(suffix) &&
    host.slice(0, -suffix.length).split('.').length === 2 &&
    (host.startsWith(prefix) || host.split('.')[0]?.endsWith(`-${prefix.slice(0, -1)}`) === true)
  )
}
