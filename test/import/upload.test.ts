import { afterEach, expect, test, vi } from 'vitest'
import { receiveUpload } from '../../src/import/source/upload.ts'

afterEach(() => {
  vi.useRealTimers()
})

const mebibyte = 1 << 20

/** A file that cannot be compressed, which stays open after so many bytes until it is ended. */
function slowFile(bytes: number) {
  const chunk = crypto.getRandomValues(new Uint8Array(1 << 16))
  const sent = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  async function* body() {
    for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left)
    sent.resolve()
    await ended.promise
  }
  return { body: body(), sent: sent.promise, end: ended.resolve }
}

const about = (organisationId: string) => ({ organisationId, name: 'a file' })

/** Sends a file of incompressible bytes and returns the result. */
async function send(organisationId: string, bytes: number) {
  const { body, end } = slowFile(bytes)
  end()
  try {
    const upload = await receiveUpload(body, about(organisationId))
    upload.release()
    return upload.size
  } catch (error) {
    return error
  }
}

const busy = { type: 'UNAVAILABLE', headers: { 'Retry-After': '10' } }

test('slow files of one organisation leave room for the others', async () => {
  const slow = [slowFile(18 * mebibyte), slowFile(18 * mebibyte)]
  const held = slow.map(({ body }) => receiveUpload(body, about('slow')))
  await Promise.all(slow.map(({ sent }) => sent))
  expect(await send('slow', 2 * mebibyte)).toMatchObject(busy)
  expect(await send('oak', 10 * mebibyte)).toBe(10 * mebibyte)
  const other = slowFile(10 * mebibyte)
  const otherHeld = receiveUpload(other.body, about('elm'))
  await other.sent
  expect(await send('elm', 5 * mebibyte)).toMatchObject(busy)
  expect(await send('oak', 5 * mebibyte)).toBe(5 * mebibyte)
  for (const { end } of [...slow, other]) end()
  for (const upload of await Promise.all([...held, otherHeld])) upload.release()
})

test('a file that is too large for the memory of one upload is refused for good', async () => {
  expect(await send('oak', 40 * mebibyte)).toMatchObject({
    type: 'PAYLOAD_TOO_LARGE',
    message: 'The file must have at most 37 MB when it is compressed: send it in parts.',
  })
})

test('many files of which little arrived are counted with the memory that waits for more', async () => {
  const slow = Array.from({ length: 1000 }, () => slowFile(1))
  const started = slow.map(({ body }) => receiveUpload(body, about('slow')).catch((error) => error))
  expect(await Promise.race(started)).toMatchObject(busy)
  expect(await send('oak', mebibyte)).toBe(mebibyte)
  for (const { end } of slow) end()
  for (const one of await Promise.all(started)) if ('letGo' in one) one.letGo()
})

test('a file that arrives too slowly is refused, and its memory is free', async () => {
  const steady = slowFile(30 * mebibyte)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const upload = receiveUpload(steady.body, about('slow')).catch((error) => error)
  await steady.sent
  expect(await send('slow', 8 * mebibyte)).toMatchObject(busy)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await upload).toMatchObject({
    ...busy,
    message: 'The file arrived too slowly: send it again over a faster connection.',
  })
  expect(await send('slow', 8 * mebibyte)).toBe(8 * mebibyte)
  // Requests of earlier files may still finish in the background, with their timers.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
})

test('a byte now and then is too slow, 128 KiB in each period are not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  async function* everyTwentySeconds(bytes: number) {
    for (let time = 0; time < 10; time++) {
      await vi.advanceTimersByTimeAsync(20_000)
      yield new Uint8Array(bytes)
    }
  }
  const taken = await receiveUpload(everyTwentySeconds(1 << 17), about('oak'))
  taken.release()
  expect(taken.size).toBe(10 << 17)
  await expect(receiveUpload(everyTwentySeconds(1), about('oak'))).rejects.toMatchObject(busy)
})
