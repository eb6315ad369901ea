import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connect } from '../../../bench/load/connection.ts'
import { faultOfAnswer } from '../../../bench/load/judge.ts'

test('only a streamed answer may break off, and only while its credentials change', async () => {
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
  const { ask, close } = connect(`http://127.0.0.1:${port}`, 1)
  try {
    const whole = await ask({ path: '/whole', headers: {} })
    expect(whole).toMatchObject({ isComplete: true, text: '{"at":"2025-03-01"}' })
    const broken = await ask({ path: '/broken', headers: {} })
    expect(broken).toMatchObject({ isComplete: false, text: '{"at":"2025-03-01"' })

    const fault = () => undefined
    const streamed = { fault, isStreamed: true }
    const told = 'broken off after 18 characters'
    expect(faultOfAnswer(streamed, broken, false, true)).toBeUndefined()
    expect(faultOfAnswer(streamed, broken, true, true)).toBe(told)
    expect(faultOfAnswer(streamed, broken, true, false)).toBe(told)
    expect(faultOfAnswer({ fault }, broken, false, true)).toBe(told)
    expect(faultOfAnswer({ fault, isOpen: true }, broken, false, true)).toBe(told)
  } finally {
    close()
    server.close()
  }
})
