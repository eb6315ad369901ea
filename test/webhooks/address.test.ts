import { expect, test } from 'vitest'
import { validateAddress } from '../../src/webhooks/address.ts'

const ownHosts = ['api.oak.org.uk', 'platform-production.*.workers.dev']
const deployed = { ownHosts, allowsLocal: false }
const local = { ownHosts: ['localhost:8787'], allowsLocal: true }

test.each([
  'https://hooks.oak.org.uk/',
  'https://hooks.oak.org.uk:443/a?b=c#d',
  'https://xn--80ak6aa92e.com/',
  'https://пример.рф/',
  'https://HOOKS.OAK.ORG.UK/',
  'https://receiver.somebody.workers.dev/',
  'https://localhost.oak.org.uk/',
  'https://home.lan.oak.org.uk/private?to=:@oak.org.uk',
  'https://hooks.oak.org.uk/@oak',
  'https://hooks.manip.io/',
  'https://localtest.me.oak.org.uk/',
])('%s is taken', (address) => {
  expect(validateAddress(address, deployed)).toBeUndefined()
})

test.each([
  ['http://hooks.oak.org.uk/', 'must begin with https://.'],
  ['ftp://hooks.oak.org.uk/', 'must begin with https://.'],
  ['hooks.oak.org.uk', 'must be an address of at most'],
  [`https://hooks.oak.org.uk/${'a'.repeat(2048)}`, 'must be an address of at most'],
  ...[
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '１２７.０.０.１',
    '10.0.0.1',
    '8.8.8.8',
    '[::1]',
    '[::ffff:7f00:1]',
    '[2001:db8::1]',
    '127.0.0.1.',
  ].map((host) => [`https://${host}/`, 'must have a host name, not an IP address.']),
  ...['localhost', 'intranet', 'LOCALHOST'].map((host) => [`https://${host}/`, 'has no dot.']),
  ...[
    'a.localhost',
    'printer.local',
    'a.test',
    'a.example',
    'www.example.com',
    'a.invalid',
    'a.onion',
    'metadata.google.internal',
    'router.home.arpa',
    'a.alt',
    'nas.lan',
    'router.home',
    'mail.corp',
    'wiki.intranet',
    'a.private',
    'a.INTERNAL',
    'api.default.svc',
    'api.default.svc.cluster.local',
    'db.service.consul',
    'nas.localdomain',
  ].map((host) => [`https://${host}/`, 'is reserved for other uses.']),
  ...[
    '127.0.0.1.nip.io',
    'app-10-0-0-1.sslip.io',
    'nip.io',
    'localtest.me',
    'www.LVH.me',
    '7f000001.c0a80001.rbndr.us',
    'app.ddev.site',
  ].map((host) => [`https://${host}/`, 'may resolve to an address of a private network.']),
  ['https://hooks.oak.org.uk./', 'does not end in a dot.'],
  ['https://hooks.oak.org.uk:8443/', 'must not have a port'],
  ['https://ada@hooks.oak.org.uk/', 'must not contain a user name'],
  ['https://:secret@hooks.oak.org.uk/', 'must not contain a user name'],
  ...['https://:@', 'https://@', 'https:@', 'https:/\\:@'].map((start) => [
    `${start}hooks.oak.org.uk/`,
    'must not contain a user name',
  ]),
  ...['hooks..net', '.hooks.net'].map((host) => [`https://${host}/`, 'without empty parts.']),
  ...[
    'api.oak.org.uk',
    'platform-production.charity.workers.dev',
    'abc123-platform-production.charity.workers.dev',
  ].map((host) => [`https://${host}/api/v1/members`, 'must not be an address of this service.']),
])('%s is refused: it %s', (address, reason) => {
  expect(validateAddress(address, deployed)).toContain(reason)
})

test('only a local service accepts local addresses, except its own', () => {
  for (const host of ['localhost:9000', '127.0.0.1:9000', '[::1]:9000', 'localhost']) {
    expect(validateAddress(`http://${host}/`, local)).toBeUndefined()
    expect(validateAddress(`https://${host}/`, local)).toBeUndefined()
    expect(validateAddress(`http://${host}/`, { ownHosts: [], allowsLocal: false })).toBe(
      'must begin with https://.',
    )
  }
  expect(validateAddress('http://localhost:8787/', local)).toBe(
    'must not be an address of this service.',
  )
  for (const host of ['192.168.0.1', 'printer.local', '127.0.0.1.nip.io'])
    expect(validateAddress(`http://${host}/`, local)).toBeDefined()
})
