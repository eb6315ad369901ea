import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { app } from '../../src/app.ts'
import { newSignedIn } from './signed-in.ts'

const path = '/settings/public-pages'

async function newAdministrator() {
  const signedIn = await newSignedIn()
  await signedIn.schema('members', [
    { id: 'Full Name', name: 'Full Name', label: 'Full name', type: 'text', order: 0 },
    { id: 'Born', name: 'Born', label: 'Date of birth', type: 'date', order: 1 },
  ])
  const visitSite = async () => app.request(`https://data.test/o/${signedIn.id}`, {}, env)
  return { ...signedIn, visitSite }
}

const valid = {
  ...{ enabled: 'on', 'field-0': 'required', 'field-1': 'optional' },
  ...{
    privacyNotice: 'https://charity.test/privacy',
    colour: '#5b2a6e',
    contactPhone: '0113 4960',
  },
}

test('an administrator switches the public pages on, with a look, and off again', async () => {
  const { submit, html, visitSite } = await newAdministrator()
  expect((await visitSite()).status).toBe(404)
  expect((await submit(path, valid)).status).toBe(303)
  const page = await html(path)
  expect(page).toContain('https://charity.test/privacy')
  expect(page).toMatch(/changed public pages/)
  const site = await visitSite()
  expect(site.status).toBe(200)
  expect(await site.text()).toContain('/colours/5b2a6e.css')
  await submit(path, { enabled: '' })
  expect((await visitSite()).status).toBe(404)
})

test('settings with errors are not saved, and stay in the form', async () => {
  const { submit, visitSite } = await newAdministrator()
  const answer = await submit(path, {
    ...{ ...valid, privacyNotice: 'http://charity.test', 'field-0': '', offerHours: '0' },
    frameAncestors: 'https://charity.test/page',
  })
  expect(answer.status).toBe(400)
  const page = await answer.text()
  for (const text of [
    'Nothing was saved.',
    'value="http://charity.test"',
    'must be an address that begins with https://.',
    'must be an origin, such as https://example.org.',
    'must be at least 1.',
  ])
    expect(page).toContain(text)
  expect((await visitSite()).status).toBe(404)
})

test('a logo is a small PNG, shown on the pages until it is removed', async () => {
  const { submit, visit, id } = await newAdministrator()
  await submit(path, valid)
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
  const send = (logo: Uint8Array<ArrayBuffer>, removeLogo = '') => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...valid, removeLogo })) body.set(name, value)
    body.set('logo', new File([logo], 'logo.png'))
    return visit(path, { method: 'POST', body })
  }
  const read = () => app.request(`https://data.test/o/${id}/logo.png`, {}, env)
  expect((await send(new Uint8Array([0x3c, 0x73]))).status).toBe(400)
  expect((await read()).status).toBe(404)
  expect((await send(png)).status).toBe(303)
  const logo = await read()
  expect(logo.headers.get('Content-Type')).toBe('image/png')
  expect(new Uint8Array(await logo.arrayBuffer())).toEqual(png)
  expect((await send(new Uint8Array(), 'yes')).status).toBe(303)
  expect((await read()).status).toBe(404)
})

test('editors do not change the public pages', async () => {
  const { visit } = await newSignedIn('editor')
  expect((await visit(path)).status).toBe(403)
})
