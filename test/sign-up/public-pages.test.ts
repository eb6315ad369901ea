import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { operatorStore } from '../../src/admin/operator-store.ts'
import type { ApiError } from '../../src/model/api-error.ts'
import type { Schema } from '../../src/model/properties/schema.ts'
import {
  openPublicStore,
  readPublicPages,
  savePublicPages,
} from '../../src/sign-up/public-pages.ts'
import { readLogo } from '../../src/store/settings/public-pages.ts'
import { administeredStore } from '../../src/store/trusted-store.ts'
import { listAudit } from '../audit.ts'
import { newOrganisation } from '../organisation.ts'

const field = (id: string, type: 'text' | 'postcode' | 'uniqueId' | 'email', order: number) => ({
  id,
  name: id,
  label: id,
  type,
  order,
})

const schema: Schema = {
  name: 'Members',
  fields: [
    field('Full Name', 'text', 0),
    field('Email', 'email', 1),
    field('Postcode', 'postcode', 2),
    field('Postcode.ward', 'text', 3),
    field('Number', 'uniqueId', 4),
  ],
}

const signUpFields = [{ id: 'Full Name', required: true }]
const privacyNotice = 'https://oak.test/privacy'
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])

const save = (organisationId: string, enabled: boolean, settings: object, logo?: Uint8Array) =>
  savePublicPages(administeredStore(env.DB, organisationId, 'Ada'), schema, {
    enabled,
    settings,
    ...(logo && { logo }),
  })

/** The fields of the validation errors. */
const errorsOf = (operation: Promise<unknown>) =>
  operation.then(
    () => [],
    (error: ApiError) => error.errors.map(({ field, code }) => `${field} ${code}`),
  )

test('nothing is public until the pages are on, and nothing after they are off', async () => {
  const { id } = await newOrganisation()
  const notFound = expect.objectContaining({ type: 'NOT_FOUND' })
  const read = () => readPublicPages(openPublicStore(env, id))
  await expect(read()).rejects.toEqual(notFound)
  await save(id, true, { signUpFields, privacyNotice }, png)
  const { settings, hasLogo, organisationName } = await read()
  expect([settings.offerHours, settings.signUpFields]).toEqual([24, signUpFields])
  expect([hasLogo, organisationName]).toEqual([true, expect.stringContaining('Organisation')])
  expect(await readLogo(openPublicStore(env, id))).toBe('iVBORw0KGgoA')
  await save(id, false, settings)
  await expect(read()).rejects.toEqual(notFound)
  expect(await readPublicPages(operatorStore(env.DB, id))).toMatchObject({
    enabled: false,
    hasLogo: true,
  })
  const audit = await listAudit(env.DB, id)
  expect(audit.slice(0, 2).map(({ actor, action, target }) => [actor, action, target])).toEqual([
    ['Ada', 'changed public pages', 'off'],
    ['Ada', 'changed public pages', 'on'],
  ])
})

test('settings name the field that is wrong', async () => {
  const { id } = await newOrganisation()
  expect(await errorsOf(save(id, true, {}))).toEqual([
    'signUpFields required',
    'privacyNotice required',
  ])
  const asks = (...ids: string[]) => ({ signUpFields: ids.map((id) => ({ id, required: false })) })
  expect(
    await errorsOf(save(id, false, asks('Postcode.ward', 'Number', 'Email', 'Email'))),
  ).toEqual(['signUpFields unknown_field', 'signUpFields unknown_field', 'signUpFields duplicate'])
  const frameAncestors = ["https://oak.test; script-src 'unsafe-inline'"]
  expect(
    await errorsOf(
      save(id, false, { frameAncestors, privacyNotice: 'javascript:alert(1)', colour: 'red;}' }),
    ),
  ).toEqual([
    'privacyNotice invalid_format',
    'frameAncestors.0 invalid_format',
    'colour invalid_format',
  ])
  const large = new Uint8Array(64 * 1024 + 1)
  large.set(png)
  expect(await errorsOf(save(id, false, {}, large))).toEqual(['logo too_large'])
  expect(await errorsOf(save(id, false, {}, new Uint8Array(9)))).toEqual(['logo invalid_format'])
})
