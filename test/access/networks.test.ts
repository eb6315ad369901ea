import { describe, expect, test } from 'vitest'
import { isInNetworks, validateNetwork } from '../../src/access/networks.ts'

describe('an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.8', '203.0.113.7', false],
    ['203.0.113.255', '203.0.113.0/24', true],
    ['203.0.114.0', '203.0.113.0/24', false],
    ['1.2.3.4', '0.0.0.0/0', true],
    ['::ffff:203.0.113.9', '203.0.113.0/24', true],
    ['::ffff:cb00:7109', '203.0.113.0/24', true],
    ['203.0.113.9', '::ffff:203.0.113.9', true],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['2001:db8:ffff::', '2001:db8:8000::/33', true],
    ['2001:db8::', '2001:db8:8000::/33', false],
    ['::1', '0.0.0.0/0', false],
    ['1.2.3.4', '::/0', false],
    ['203.0.113.7, 198.51.100.1', '203.0.113.7', false],
    ['rubbish', '0.0.0.0/0', false],
    ['', '0.0.0.0/0', false],
    [undefined, '0.0.0.0/0', false],
  ])('%s in %s is %s', (address, network, expected) => {
    expect(isInNetworks(address, [network])).toBe(expected)
  })

  test('may be in any of several', () => {
    expect(isInNetworks('::1', ['10.0.0.0/8', '::1'])).toBe(true)
  })
})

test.each(['203.0.113.7', '10.0.0.0/8', '0.0.0.0/0', '::', '2001:db8::/32', '::ffff:1.2.3.4'])(
  '%s is a network',
  (text) => expect(validateNetwork(text)).toBeUndefined(),
)

test.each([
  '',
  'localhost',
  '256.0.0.1',
  '1.2.3',
  '01.2.3.4',
  '1.2.3.4/33',
  '1.2.3.4/',
  '1.2.3.4/x',
  '1.2.3.4/08',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1::2::3',
  '1:2:3:4::5:6:7:8',
  '12345::',
  '::/129',
  '::1%eth0',
  '1.2.3.4::',
])('%s is none', (text) =>
  expect(validateNetwork(text)).toContain('must be an address or a network'),
)

test('a network has no bits of an address in it', () => {
  expect(validateNetwork('203.0.113.7/24')).toBe('must have no bits set beyond the first 24.')
})
