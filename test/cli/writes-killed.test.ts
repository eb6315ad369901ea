import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { start } from '../../bench/workers.ts'
import { expectExactIndex } from '../store/index-of-database.ts'
import { bundledScript } from './bundled-worker.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder()
const organisationId = 'killed'
const writers = 8

type Write = { method: string; path: string; body: object; answer?: string }

/** The requests of a writer: it replaces and patches one record and creates others singly and in pairs. */
function write(writer: number, index: number): Write {
  const name = `${writer}-${index}`
  const path = `/events/w${writer}`
  const two = ['a', 'b'].map((end) => ({ eventId: name + end, name: name + end }))
  const writes = [
    { method: 'PUT', path: path, body: { name } },
    { method: 'POST', path: '/events', body: { name } },
    { method: 'PATCH', path: path, body: { colour: name } },
    { method: 'PATCH', path: '/events', body: { events: two } },
    { method: 'POST', path: '/members', body: { Name: name } },
  ]
  return writes[index % writes.length] as Write
}

/** The events there are after the writes of one writer, as their names and colours. */
function eventsAfter(writes: readonly Write[]): string[] {
  let eventPath: { name?: string; colour?: string } = {}
  const others: string[] = []
  for (const { method, path, body } of writes) {
    if (method === 'PUT') eventPath = body
    else if (path.includes('/w')) eventPath = { ...eventPath, ...body }
    else if (path === '/events') others.push(...namesIn(body).map((name) => `${name} `))
  }
  return [`${eventPath.name} ${eventPath.colour ?? ''}`, ...others]
}

const namesIn = (body: { name?: string; events?: { name: string }[] }) =>
  body.events?.map(({ name }) => name) ?? [body.name]

type Service = { url: string; key: string }

/** Sends a write, the first time or again; its status and body. */
async function send({ url, key }: Service, { method, path, body }: Write): Promise<string> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      'x-api-key': key,
      'Content-Type': 'application/json',
      'Idempotency-Key': JSON.stringify(body),
    },
    body: JSON.stringify(body),
  })
  const text = `${answer.status} ${await answer.text()}`
  expect(text).toMatch(/^20[01] /)
  return text
}

/** What each of several writers sent to a service that was killed, with its database, after so many answers. */
async function writtenUntilKilled(answers: number): Promise<{ key: string; sent: Write[][] }> {
  const child = spawn(process.execPath, ['test/cli/killed-service.ts', folder, organisationId], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), exited])
  const service: Service = JSON.parse(String(line))
  let answerCount = 0
  const all = Array.from({ length: writers }, async (_, writer) => {
    const sent: Write[] = []
    while (answerCount < answers) {
      const next = write(writer, sent.length)
      sent.push(next)
      await send(service, next).then(
        (answer) => {
          next.answer = answer
          if (++answerCount === answers) process.kill(-Number(child.pid), 'SIGKILL')
        },
        (error) => {
          if (answerCount < answers) throw error
        },
      )
    }
    return sent
  })
  const sent = await Promise.all(all)
  expect((await exited)[1]).toBe('SIGKILL')
  return { key: service.key, sent }
}

test('a killed service keeps every answered write, and a retried write happens once', async () => {
  const { key, sent } = await writtenUntilKilled(60 + Math.floor(Math.random() * 60))
  const { runtime, url, bindings } = await start(folder, bundledScript('src/index.ts'))
  try {
    const service = { url, key }
    const list = async (path: string): Promise<Record<string, unknown>[]> => {
      const answer = await fetch(url + path, { headers: { 'x-api-key': key } })
      return (await answer.text())
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    }
    const events = async () =>
      (await list('/events?$format=ndjson')).map(({ name, colour }) => `${name} ${colour}`)

    const stored = await events()
    for (const writes of sent) {
      const [sure, perhaps] = [writes.filter(({ answer }) => answer), writes].map(eventsAfter)
      for (const [index, event] of (sure ?? []).entries())
        if (index > 0 || !stored.includes(String(perhaps?.[0]))) expect(stored).toContain(event)
    }

    for (const writes of sent) {
      for (const one of writes) {
        const isRepeated = !one.path.includes('/w')
        if (!one.answer || isRepeated) {
          const again = await send(service, one)
          if (one.answer) expect(again).toBe(one.answer)
        }
      }
    }
    expect((await events()).toSorted()).toEqual(sent.flatMap(eventsAfter).toSorted())
    const memberWrites = sent.flat().filter(({ path }) => path === '/members')
    const members = await list('/members?$format=ndjson')
    expect(
      members.map(({ fields }) => (fields as { value: string }[])[0]?.value).toSorted(),
    ).toEqual(memberWrites.flatMap(({ body }) => Object.values(body)).toSorted())

    let page = { changes: [] as { collection: string; id: string }[], next: '', more: true }
    const changed: string[] = []
    for (let after = ''; page.more; after = `&$after=${page.next}`) {
      const answer = await fetch(`${url}/changes?limit=250${after}`, {
        headers: { 'x-api-key': key },
      })
      page = (await answer.json()) as typeof page
      changed.push(...page.changes.map(({ collection, id }) => `${collection} ${id}`))
    }
    const there = [
      ...(await list('/events?$format=ndjson')).map(({ eventId }) => `events ${eventId}`),
      ...members.map(({ memberId }) => `members ${memberId}`),
    ]
    expect(changed.toSorted()).toEqual(there.toSorted())
    await expectExactIndex(bindings.DB, organisationId)
  } finally {
    await runtime.dispose()
  }
})
