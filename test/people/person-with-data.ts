import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { expect } from 'vitest'
import { type Kind, kindNames, kinds } from '../../src/model/properties/schema.ts'
import { signUps } from '../../src/store/sign-up-tables.ts'
import type { Writer } from '../resources/writing.ts'
import { findTexts } from '../store/find-text.ts'

export const people = kindNames

/** A schema with a field of every type that can identify a person. */
export const fields = [
  { id: 'Full Name', type: 'text' },
  { id: 'E-mail', type: 'email' },
  { id: 'Phone', type: 'phone' },
  { id: 'Mobile', type: 'phoneNumber' },
  { id: 'Postcode', type: 'postcode' },
  { id: 'Born', type: 'date' },
  { id: 'Income', type: 'number' },
  { id: 'Number', type: 'uniqueId' },
  { id: 'Story', type: 'custom' },
  { id: 'Tags', type: 'tags' },
  { id: 'School', type: 'school' },
  { id: 'health.condition', type: 'selectAndOther' },
].map((field, order) => ({ ...field, name: field.id, label: field.id, order }))

let count = 0

/** Values for every field, each with a unique word. */
function uniqueValues() {
  const word = `Zq${crypto.randomUUID().slice(0, 8)}x${++count}`
  const digits = String(crypto.getRandomValues(new Uint32Array(1))[0]).padStart(10, '7')
  return {
    'Full Name': `Quillan ${word}-Vane Ó${word}`,
    'E-mail': `${word}.Vane@Unique-Example.test`,
    Phone: `0${digits.slice(0, 2)} ${digits.slice(2)}`,
    Mobile: `+44 (0)9${digits}`,
    Postcode: `ZZ${digits.slice(0, 2)} ${digits.slice(2)}`,
    Born: new Date(Date.UTC(1200, 0, count)).toISOString().slice(0, 10),
    Income: Number(`${digits}.25`),
    Number: `ref-${word}`,
    Story: `${`The story of ${word} `.repeat(30)}ends with ${word}end`,
    Tags: [`tag ${word}`, `other ${word}`],
    School: `School of ${word}`,
    'health.condition': `Ailment ${word}`,
  }
}

/** Returns the stored forms of a text: unchanged, without spaces, and with letters and digits only. */
export const formsOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => {
    const text = String(one)
    const compact = text.replaceAll(/[^\p{L}\p{N}]/gu, '')
    const words = text.split(/[\s@,-]+/).filter((word) => /Zq|\d{8}/.test(word))
    return [text.slice(0, 100), text.replaceAll(' ', ''), compact, ...words].filter(
      (form) => form.length > 5,
    )
  })

/** Finds every stored form of these values. A form contains its shorter forms, so only the shortest are searched for. */
export function findStoredForms(values: readonly unknown[]) {
  const forms = [...new Set(values.flatMap(formsOf).map((form) => form.toLowerCase()))]
  const shortest = forms.filter(
    (form) => !forms.some((other) => other !== form && form.includes(other)),
  )
  return findTexts(env, shortest, { fold: true })
}

/** Creates a person with data in every collection. Returns all `texts` written about them, and as `kept` the ones that are still stored. */
export async function createPersonWithData(
  writer: Writer,
  kind: Kind,
  others: Partial<Record<Kind, string[]>> = {},
) {
  const { singular, id: idName } = kinds[kind]
  const id = `${singular}-${crypto.randomUUID().slice(0, 8)}-${++count}`
  const [first, last] = [uniqueValues(), uniqueValues()]
  const word = last.Number.replace('ref-', '')
  const formFor = kind.charAt(0).toUpperCase() + kind.slice(1)
  const linkedEntities = { [`${singular}Ids`]: [id] }
  const both = {
    ...Object.fromEntries(
      Object.entries(others).map(([of, ids]) => [`${of.slice(0, -1)}Ids`, ids]),
    ),
    [`${singular}Ids`]: [id, ...(others[kind] ?? [])],
  }
  const booking = {
    memberId: id,
    user: `user ${word}`,
    userEmail: `b.${word}@mail.test`,
    userName: `Name ${word}`,
    booker: `Booker ${word}`,
    orderId: `order ${word}`,
    funderMemberId: `funder ${word}`,
  }
  const response = {
    surveyId: 'form',
    date: '2025-01-01T00:00:00.000Z',
    creator: `user ${word}`,
    responses: [
      {
        questionId: 'School',
        question: 'Q',
        outcome: '',
        type: 'text',
        response: `Answer ${word}`,
      },
      { questionId: 'q', question: 'Q', outcome: '', type: 'text', response: `Words ${word}` },
    ],
  }
  const note = { content: `Note of ${word}`, creator: 'staff', isPrivate: true }
  const bookings = [
    { bookingId: `b1-${id}`, eventId: 'event', ...booking },
    { bookingId: `b2-${id}`, eventId: 'event', memberId: id },
  ]
  const form = { name: 'Form', type: 'survey', schemaForm: true, formFor, questions: [] }
  const shared = { noteId: `both-${id}`, content: 'Met the two of them.', linkedEntities: both }
  const writes: [method: string, path: string, body: object][] = [
    ['PUT', '/events/event', { name: 'Lunch' }],
    ['PUT', '/forms/form', form],
    ['PUT', `/${kind}/${id}`, first],
    ['PATCH', `/${kind}/${id}`, last],
    ...bookings
      .filter(() => kind === 'members')
      .map((one): (typeof writes)[number] => ['POST', '/bookings', one]),
    ['POST', '/survey-responses', { responseId: `r-${id}`, ...response, linkedEntities }],
    ['POST', '/case-notes', { noteId: `n-${id}`, ...note, linkedEntities }],
    ['POST', '/case-notes', shared],
  ]
  for (const [method, path, body] of writes) {
    const headers = { ...(method === 'POST' && { 'Idempotency-Key': crypto.randomUUID() }) }
    const answer = await writer.send(method, path, body, headers)
    expect([method, path, answer.status, await answer.text()]).toEqual([
      ...[method, path],
      expect.toSatisfy((status) => status < 300),
      expect.anything(),
    ])
  }
  const signUp = { School: `Chosen ${word}`, diet: `Diet ${word}`, email: `c.${word}@mail.test` }
  if (kind === 'members')
    await drizzle(env.DB)
      .insert(signUps)
      .values({
        organisationId: writer.id,
        bookingId: `b1-${id}`,
        eventId: 'event',
        personHash: id,
        contact: JSON.stringify({ name: booking.userName, email: signUp.email }),
        answers: JSON.stringify({ School: signUp.School }),
        questionAnswers: JSON.stringify({ diet: signUp.diet }),
        deleteAfter: '2999-01-01',
      })
  const csv = `${idName},Story\n${id},${last.Story}\n`
  const importResponse = await writer.get(`/imports?collection=${kind}`, {
    method: 'POST',
    headers: { 'x-api-key': writer.key, 'Content-Type': 'text/csv', 'Idempotency-Key': id },
    body: `${csv.trimEnd()} again\n`,
  })
  expect(await importResponse.json()).toMatchObject({ errors: [] })
  await writer.send('PATCH', `/${kind}/${id}`, last)
  // Ids of other people, which no export has.
  const { memberId, booker, funderMemberId, ...ofBooking } = booking
  const kept = [
    ...Object.values(last),
    ...(kind === 'members' ? [...Object.values(ofBooking), ...Object.values(signUp)] : []),
    ...[`Answer ${word}`, `Words ${word}`, note.content],
  ]
  const texts = [...Object.values(first), ...kept, booker, funderMemberId]
  return { id, path: `/${kind}/${id}`, kept, texts, word, values: last }
}

/** A member in an organisation with grants, a fund, an event and bookings of theirs and of others. */
export async function withGrants(writer: Writer) {
  const { send } = writer
  const put = async (path: string, body: object) =>
    expect([path, (await send('PUT', path, body)).status]).toEqual([path, 201])
  const recipient = {
    name: 'Rosa M. Quill',
    email: 'Rosa.Quill@Unique.Test',
    phone: '+44 7700 900461',
    postcode: 'ZQ9 4QQ',
    address: '4 Quillfield Row',
    type: 'individual',
  }
  await put('/members/m', {
    'Full Name': 'Rosa Quill',
    'E-mail': 'rosa.quill@unique.test',
    Phone: '07700 900461',
  })
  await put('/funds/fund', {
    recipientType: 'individual',
    contact: { name: 'Rosa Quill', email: 'rosa.quill@unique.test' },
  })
  const application = { fundId: 'fund', status: 'approved', amountAwarded: 250, currency: 'GBP' }
  await put('/grant-applications/by-email', {
    ...application,
    recipient,
    title: 'A cooker for Rosa Quill',
    description: 'Rosa Quill has none.',
  })
  await put('/grant-applications/by-phone', {
    ...application,
    recipient: { ...recipient, email: '' },
  })
  await put('/grant-applications/by-id', {
    ...application,
    granteeId: 'm',
    recipient: { name: 'R Quill' },
  })
  await put('/grant-applications/organisation', {
    ...application,
    recipient: { ...recipient, name: 'Dunmallow Arts', postcode: 'LS11 0ES', type: 'organisation' },
  })
  // The same id in another source, and a number that only begins alike.
  await put('/grant-applications/others', {
    ...application,
    granteeId: 'm',
    recipient: { name: 'Bert Bloom', email: 'bert@unique.test', phone: '07700 9004611' },
  })
  await put('/disbursements/payment', {
    grantId: 'by-email',
    fundId: 'fund',
    status: 'PAID',
    amount: 250,
    bankAccount: { accountName: 'R Quill', accountNumber: '12345678', sortCode: '123456' },
    notes: 'Paid to Rosa Quill',
  })
  await put('/events/e', { bookingDetails: { contactEmail: 'rosa.quill@unique.test' } })
  await put('/members/child', { 'Full Name': 'Pip Quill' })
  const booking = { eventId: 'e', userEmail: 'rosa.quill@unique.test' }
  await put('/bookings/theirs', { ...booking, userName: 'Rosa Quill', user: 'rosa-account' })
  await put('/bookings/unlinked-child', { ...booking, userName: 'Pip Quill' })
  await put('/bookings/of-child', { ...booking, userName: 'Pip Quill', memberId: 'child' })
}
