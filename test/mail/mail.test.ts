import { afterEach, expect, test, vi } from 'vitest'
import { openMail, printsMail } from '../../src/mail/mail.ts'

const message = { to: 'ada@oak.test', subject: 'Hello', text: 'Hello', html: '<p>Hello' }
const provider = { MAIL_FROM: 'us@oak.test', MAIL_API_URL: 'https://mail.test/', MAIL_API_KEY: 'k' }

afterEach(() => void vi.unstubAllGlobals())

test('a provider gets the message with the key, and a refusal is an error without its text', async () => {
  const sent: Request[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    sent.push(request)
    return new Response('ada@oak.test is unknown', { status: sent.length > 1 ? 422 : 200 })
  })
  const mail = openMail(provider)
  await mail?.send({ ...message, replyTo: 'help@oak.test' })
  expect(await sent[0]?.json()).toEqual({
    from: 'us@oak.test',
    reply_to: 'help@oak.test',
    ...message,
  })
  expect(sent[0]?.headers.get('Authorization')).toBe('Bearer k')
  await expect(mail?.send(message)).rejects.toThrow(/^The mail provider answered 422\.$/)
})

test("Cloudflare's binding comes first, and without a sender there is no mail", async () => {
  const sent: unknown[] = []
  const MAIL = {
    async send(builder: unknown) {
      sent.push(builder)
      return { messageId: '' }
    },
  }
  await openMail({ ...provider, MAIL })?.send(message)
  expect(sent).toEqual([{ from: 'us@oak.test', ...message }])
  expect(openMail({ ...provider, MAIL_FROM: '' })).toBeUndefined()
  expect(openMail({ MAIL_FROM: 'us@oak.test' })).toBeUndefined()
})

test('locally, messages are printed', async () => {
  const print = vi.spyOn(console, 'info').mockReturnValue()
  await openMail({ [printsMail]: true })?.send(message)
  expect(print.mock.calls.join()).toContain('To: ada@oak.test\nSubject: Hello\n\nHello')
  print.mockRestore()
})
