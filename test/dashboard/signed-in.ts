import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Role } from '../../src/access/roles.ts'
import { app } from '../../src/app.ts'
import { createSession } from '../../src/auth/sessions.ts'
import { claimMemberships } from '../../src/store/settings/memberships.ts'
import { newOrganisation } from '../organisation.ts'

const origin = 'https://data.test'

type Organisation = Awaited<ReturnType<typeof newOrganisation>>

/** Signs a person in to the dashboard of an organisation, by default a new one. */
export async function newSignedIn(
  role: Role = 'admin',
  existing?: Organisation,
  bindings: object = env,
) {
  const organisation = existing ?? (await newOrganisation())
  const subject = crypto.randomUUID()
  const email = `${subject}@people.test`
  const person = { issuer: origin, subject, email }
  await organisation.add(email, role)
  await claimMemberships(env.DB, person)
  const cookies = new Map([['__Host-session', await createSession(env.DB, person, email)]])
  /** Requests a page of the organisation. */
  async function visit(path: string, init: RequestInit = {}, context = createExecutionContext()) {
    const headers = new Headers(init.headers)
    headers.set('Cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (!headers.has('Origin')) headers.set('Origin', origin)
    const answer = await app.request(
      `${origin}/dashboard/${organisation.id}${path}`,
      { ...init, headers },
      bindings,
      context,
    )
    for (const header of answer.headers.getSetCookie()) {
      expect(header).toMatch(/^__Host-.*; Path=\/; HttpOnly; Secure; SameSite=(Lax|Strict)$/)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (/Max-Age=0/i.test(header)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    ...organisation,
    email,
    visit,
    html: async (path: string) => (await visit(path)).text(),
    /** Sends a form. */
    post: (path: string, fields: [string, string][]) =>
      visit(path, { method: 'POST', body: new URLSearchParams(fields) }),
    /** Loads a page and submits its form with changes. An optional action runs in between. */
    async submit(
      path: string,
      values: Record<string, string>,
      meanwhile: () => Promise<unknown> = async () => {},
    ) {
      const form = await readForm(await visit(path))
      await meanwhile()
      for (const [name, value] of Object.entries(values)) form.set(name, value)
      const [action = ''] = path.split('?')
      return visit(action, { method: 'POST', body: form })
    },
  }
}

/** The fields that a page's last form would send. */
export async function readForm(page: Response): Promise<URLSearchParams> {
  let form = new URLSearchParams()
  let textarea: { name: string; text: string } | undefined
  let select = ''
  const rewriter = new HTMLRewriter()
    .on('form[method=post]', {
      element: () => {
        form = new URLSearchParams()
      },
    })
    .on('form input[name]', {
      element(input) {
        const [name, type] = [String(input.getAttribute('name')), input.getAttribute('type')]
        const isChecked = input.hasAttribute('checked')
        if ((type === 'checkbox' || type === 'radio') && !isChecked) return
        form.append(name, unescaped(input.getAttribute('value') ?? ''))
      },
    })
    .on('form select[name]', {
      element(element) {
        select = String(element.getAttribute('name'))
        form.set(select, '')
      },
    })
    .on('form select option[selected]', {
      element: (option) => form.set(select, unescaped(option.getAttribute('value') ?? '')),
    })
    .on('form textarea[name]', {
      element(element) {
        textarea = { name: String(element.getAttribute('name')), text: '' }
      },
      text(chunk) {
        if (!textarea) return
        textarea.text += chunk.text
        if (chunk.lastInTextNode) form.set(textarea.name, unescaped(textarea.text))
      },
    })
  await rewriter.transform(page).text()
  return form
}

/** The text of a page's HTML. */
export const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
