import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { findResponseError } from '../../../bench/load/check-response.ts'
import { connect } from '../../../bench/load/connection.ts'

test('a response may abort only if it is streamed and its credential changes', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write('{"at":"2025-03-01"', () => {
      if (request.url === '/whole') response.end('}')
      else response.destroy()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const { send, close } = connect(`http://127.0.0.1:${port}`, 1)
  try {
    const whole = await send({ path: '/whole', headers: {} })
    expect(whole).toMatchObject({ isComplete: true, text: '{"at":"2025-03-01"}' })
    const broken = await send({ path: '/broken', headers: {} })
    expect(broken).toMatchObject({ isComplete: false, text: '{"at":"2025-03-01"' })

    const findError = () => undefined
    const streamed = { findError, isStreamed: true }
    const message = 'aborted after 18 characters'
    expect(findResponseError(streamed, broken, false, true)).toBeUndefined()
    expect(findResponseError(streamed, broken, true, true)).toBe(message)
    expect(findResponseError(streamed, broken, true, false)).toBe(message)
    expect(findResponseError({ findError }, broken, false, true)).toBe(message)
    expect(findResponseError({ findError, isPublic: true }, broken, false, true)).toBe(message)
  } finally {
    close()
    server.close()
  }
})
