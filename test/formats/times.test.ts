import { beforeAll, expect, test } from 'vitest'
import { createEvents, minuteToTime } from '../http/create-events.ts'
import { newOrganisation } from '../organisation.ts'

const many = 600

let organisation: Awaited<ReturnType<typeof newOrganisation>>

// e0 to e599 at minutes 0 to 599, of which every third changed afterwards, the last first.
beforeAll(async () => {
  organisation = await newOrganisation()
  const thirds = Array.from({ length: many / 3 }, (_, index) => 3 * index)
  await createEvents(organisation, many, thirds.toReversed())
})

type Shown = { eventId: string; $created: string; $updated: string; $version: number }

/** What pages of JSON give, one after the other. */
async function paged(query: string): Promise<Shown[]> {
  const all: Shown[] = []
  for (let offset = 0; ; offset += 250) {
    const { events } = await organisation.json<{ events: Shown[] }>(
      `/events?$include=times&limit=250&offset=${offset}&${query}`,
    )
    all.push(...events)
    if (events.length < 250) return all
  }
}

const text = async (format: string, query: string) =>
  (await organisation.get(`/events?$format=${format}&$include=times&${query}`)).text()

test.each([
  ['', many],
  [`$createdFrom=${minuteToTime(100)}`, 500],
  [`$createdFrom=${minuteToTime(100)}&$createdTo=${minuteToTime(450)}`, 350],
  [`$createdTo=${minuteToTime(300)}&bookable=true`, 150],
  [`$updatedFrom=${minuteToTime(0)}`, many],
  [`$updatedFrom=${minuteToTime(300)}`, 400],
  [`$updatedFrom=${minuteToTime(300)}&$updatedTo=${minuteToTime(650)}`, 250],
  [`$updatedFrom=${minuteToTime(300)}&name=changed`, 200],
  [`$updatedTo=${minuteToTime(500)}&$createdFrom=${minuteToTime(10)}&bookable=false`, 164],
  [`$createdFrom=${minuteToTime(9999)}`, 0],
])('whole tables of %s hold what the pages do, in their order', async (query, count) => {
  const expected = await paged(query)
  expect(expected).toHaveLength(count)
  const lines = (await text('ndjson', query)).split('\n').filter(Boolean)
  expect(lines.map((line) => JSON.parse(line))).toEqual(expected)
  const [head = '', ...cells] = (await text('csv', query)).trimEnd().split('\r\n')
  expect(head).toMatch(/^eventId,.*,\$created,\$updated,\$version$/)
  expect(cells.map((row) => [row.split(',')[0], ...row.split(',').slice(-3)])).toEqual(
    expected.map(({ eventId, $created, $updated, $version }) => [
      eventId,
      $created,
      $updated,
      String($version),
    ]),
  )
})

test.each(['csv', 'ndjson'])('a range that is no time is refused in %s too', async (format) => {
  const answer = await organisation.get(`/events?$format=${format}&$updatedFrom=yesterday`)
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      type: 'BAD_REQUEST',
      message:
        '$updatedFrom: must be a real time in ISO 8601 form, such as 2025-03-01T09:30:00.000Z.',
    },
  ])
})
