import { client } from './client.ts'

// Takes a booking through its whole life: `API_KEY=sk_... node booking.ts <eventId> <memberId>`.
// The key needs the permissions to read and to write.

const [, , eventId = '', memberId = ''] = process.argv
const bookingId = `booking-${crypto.randomUUID()}`
const params = { path: { bookingId } }
const body = { bookingId, eventId, memberId, date: '2026-06-20' }

/** Returns the data of a response. Throws the API's error instead. */
function requireData<Data>({ data, error }: { data?: Data; error?: { message: string } }): Data {
  if (data === undefined) throw new Error(error?.message ?? 'The response has no body.')
  return data
}

const created = requireData(await client.POST('/bookings', { body }))
console.log('created', created.booking.id === bookingId)

const query = { eventId, bookingId, user: '' }
const list = requireData(await client.GET('/bookings', { params: { query } }))
const listed = list.bookings[0]
// With `$select`, a record has only some of its properties.
console.log(
  'listed',
  list.total,
  listed && 'profile' in listed && listed.profile.memberId === memberId,
)

const patch = { attending: true }
const updated = await client.PATCH('/bookings/{bookingId}', { params, body: patch })
console.log('updated', requireData(updated).booking.attending)

const replaced = await client.PUT('/bookings/{bookingId}', { params, body })
console.log('replaced', requireData(replaced).booking.attending)

const etag = replaced.response.headers.get('ETag') ?? ''
const header = { 'If-None-Match': etag }
const unchanged = await client.GET('/bookings/{bookingId}', { params: { ...params, header } })
console.log('unchanged', unchanged.response.status)

const stale = { ...params, header: { 'If-Match': '"1"' } }
const refused = await client.DELETE('/bookings/{bookingId}', { params: stale })
console.log('refused', refused.error?.type)

const deleted = await client.DELETE('/bookings/{bookingId}', {
  params: { ...params, header: { 'If-Match': etag } },
})
console.log('deleted', deleted.response.status)
