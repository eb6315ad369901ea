import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import type { Role } from '../../src/auth/memberships.ts'
import { schemasOf } from '../../src/store/schemas.ts'
import { workbook } from '../import/tabular/files.ts'
import { newOrganisation } from '../organisation.ts'
import { newSignedIn } from './signed-in.ts'

const path = '/import'

type Filled = Record<string, string | readonly string[]>

/** Somebody who imports: each step is sent with what the page before said, but for what is filled in, and the file. */
async function newImporter(role: Role = 'admin', given?: Awaited<ReturnType<typeof newSignedIn>>) {
  const person = await newSignedIn(role, given)
  async function send(
    step: string,
    filled: Filled = {},
    file?: string | Uint8Array<ArrayBuffer>,
    name = 'members.csv',
    init: RequestInit = {},
  ) {
    const body = new FormData()
    for (const [field, values] of Object.entries(filled))
      for (const value of [values].flat()) body.append(field, value)
    if (file !== undefined) body.append('file', new File([file], name))
    body.append('step', step)
    return person.visit(path, { method: 'POST', body, ...init })
  }
  return { ...person, send }
}

/** What a page's form would send, and its text. */
async function read(answer: Response) {
  const html = await answer.text()
  const form: Record<string, string> = {}
  for (const [, attributes = ''] of html.matchAll(/<input([^>]*)>/g)) {
    const [, name] = /name="([^"]*)"/.exec(attributes) ?? []
    const [, value = ''] = /value="([^"]*)"/.exec(attributes) ?? []
    if (name && !/type="(?:checkbox|file)"/.test(attributes)) form[name] = unescaped(value)
  }
  for (const [, name = '', options = ''] of html.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const chosen = /<option value="([^"]*)" selected/.exec(options) ?? /value="([^"]*)"/.exec(options)
    form[unescaped(name)] = unescaped(chosen?.[1] ?? '')
  }
  for (const [, name = '', text = ''] of html.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>(.*?)<\/textarea>/gs,
  ))
    form[unescaped(name)] = unescaped(text).replace(/^\s+/, '')
  const [, rest = ''] = /<textarea[^>]*data-rest[^>]*>(.*?)<\/textarea>/s.exec(html) ?? []
  const text = unescaped(html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')
  return { status: answer.status, form, text, rest: unescaped(rest), html }
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const rows = Array.from(
  { length: 12 },
  (_, at) => `M${at};Ann Abara ${at};ann${at}@people.test;${20 + (at % 9)}/01/1960;${at % 2 ? 'Yes' : 'No'}`,
)
const csv = ['Ref;Name;E-mail;Born;Gift Aid', ...rows].join('\r\n')

test('a file is looked at, mapped, checked and imported, and again makes no difference', async () => {
  const { id, send, json } = await newImporter()
  const what = await read(await send('what', {}, csv))
  expect(what.text).toContain('UTF-8 text with semicolons between its cells')
  expect(what.form).toMatchObject({ collection: 'members', rows: '12' })
  const where = await read(await send('where', what.form, csv))
  expect(where.form).toMatchObject({ 'goal.3': 'new', 'type.3': 'date', 'label.3': 'Born' })
  const faulty = `${csv}\r\nM99;Bo;bo@people.test;31/02/1960;Yes`
  const check = await read(await send('check', where.form, faulty))
  expect(check.text).toContain('12 new 0 changed 0 unchanged 1 faulty')
  expect(check.text).toContain('Born is not a date, such as 31/12/2025 or 2025-12-31. 1 row line 14: 31/02/1960')
  expect(await schemasOf(env.DB, id)).toEqual({})
  const none = await read(await send('all', check.form, faulty))
  expect(none.text).toContain('Nothing was imported: not every row is in order.')
  const done = await read(await send('good', check.form, faulty))
  expect(done.text).toContain('12 new 0 changed 0 unchanged 1 faulty')
  expect(done.rest).toContain('"M99","Bo","bo@people.test","31/02/1960","Yes","14","Born is not')
  const { members } = await json<{ members: unknown[] }>('/members?Gift%20Aid=true')
  expect(members).toHaveLength(6)

  const again = await read(await send('what', {}, csv))
  expect(again.text).toContain('A file with these headings was imported before')
  const unchanged = await read(await send('check', again.form, csv))
  expect(unchanged.text).toContain('0 new 0 changed 12 unchanged 0 faulty')
  const corrected = done.rest.replace('31/02', '28/02')
  const rest = await read(await send('what', {}, corrected, 'not-imported.csv'))
  const whole = await read(await send('all', rest.form, corrected))
  expect(whole.text).toContain('1 new 0 changed 0 unchanged 0 faulty')
})
