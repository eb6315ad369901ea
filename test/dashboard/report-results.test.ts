import { expect, test } from 'vitest'
import { newSignedIn } from './signed-in.ts'

const fields = ['Full Name', 'Ward', 'Gender'].map((id, order) => ({
  ...{ id, name: id, label: id, type: 'text' as const, order },
}))

/** Members of two wards, and bookings of which some are for nobody. */
async function withMembers(sizes: Record<string, Record<string, number>>) {
  const person = await newSignedIn('reader')
  await person.schema('members', fields)
  const members = Object.entries(sizes).flatMap(([Ward, genders]) =>
    Object.entries(genders).flatMap(([Gender, count]) =>
      Array.from({ length: count }, () => ({ Ward, Gender })),
    ),
  )
  await person.put(
    'members',
    members.map((values, n) => ({ id: `m-${n}`, document: { memberId: `m-${n}`, ...values } })),
  )
  return person
}

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The cells of the last table, row by row. */
const cellsOf = (html: string) =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell)),
  )

const bySize = '$count=members&$by=Ward&$split=Gender'

test('small numbers are hidden on the page and in its files, with others that would give them away', async () => {
  const person = await withMembers({
    Armley: { Woman: 12, Man: 3 },
    Beeston: { Woman: 20, Man: 20 },
    Holbeck: { Woman: 8, Man: 9 },
  })
  const html = await person.html(`/reports/view?${bySize}&$hideBelow=5`)
  expect(cellsOf(html).slice(1)).toEqual([
    ['Beeston', '20', '20', '40', '56%'],
    ['Holbeck', 'hidden', 'hidden', '17', '24%'],
    ['Armley', 'hidden', 'hidden', '15', '21%'],
    ['Total', '40', '32', '72', '100%'],
  ])
  expect(textOf(html)).toContain(
    'Numbers below 5 are hidden, and others from which they could be worked out. Show all numbers',
  )
  expect(html).toMatch(/name="\$hideBelow" value="5" checked/)
  const [, link = ''] = /href="([^"]*)" download[^>]*>Table as CSV/.exec(html) ?? []
  expect(link).toContain('%24hideBelow=5')
  const csv = await (await person.visit(`/reports/csv?${bySize}&$hideBelow=5`)).text()
  expect(csv).toContain('\r\nArmley,hidden,hidden,15\r\n')
  const all = await person.html(`/reports/view?${bySize}`)
  expect(cellsOf(all)).toContainEqual(['Armley', '12', '3', '15', '21%'])
  expect(all).not.toContain('hidden-value')
})

test('a small total of a column is not told by the others', async () => {
  const person = await withMembers({
    Armley: { Woman: 10, Man: 12, Another: 1 },
    Beeston: { Woman: 20, Man: 25, Another: 1 },
  })
  const cells = cellsOf(await person.html(`/reports/view?${bySize}&$hideBelow=5`))
  expect(cells[0]).toEqual(['Ward', 'Man', 'Woman', 'Another', 'Members', 'Share'])
  expect(cells.at(-1)).toEqual(['Total', '37', 'hidden', 'hidden', '69', '100%'])
})

test('the groups beyond the last row are hidden together if one of them is', async () => {
  const sizes = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`Ward ${n}`, { Woman: n === 29 ? 2 : 40 - n }]),
  )
  const person = await withMembers(sizes)
  const html = await person.html('/reports/view?$count=members&$by=Ward&$hideBelow=5')
  const [chart = ''] = /<ol class="bars".*?<\/ol>/s.exec(html) ?? []
  expect(textOf(chart)).toMatch(/7 others hidden$/)
  expect(textOf(html)).toContain('Ward 29 hidden')
})

test('a report says what it counted and what it left out, and each number leads to its records', async () => {
  const person = await withMembers({ Armley: { Woman: 3, Man: 2 } })
  await person.put(
    'bookings',
    [0, 0, 1, 2, 2, 2, 9].map((member, n) => ({
      id: `b-${n}`,
      document: {
        bookingId: `b-${n}`,
        ...(member < 9 && { memberId: `m-${member}` }),
        orgStatus: n < 4 ? 'approved' : 'waiting',
        date: `2026-0${1 + (n % 2)}-01`,
      },
    })),
  )
  /** The number of records on the list of a link. */
  const countListed = async (href: string) => {
    const path = href.replaceAll('&amp;', '&').replace(/^\/dashboard\/[^/]*/, '')
    return /<caption>(\d+)/.exec(await person.html(path))?.[1]
  }
  const period = '$period=from-to&$from=2026-01-01&$to=2026-02-28'
  const query = `$count=bookings&$measure=people&$by=orgStatus&$split=date~month&${period}`
  const html = await person.html(`/reports/view?${query}`)
  expect(html).toContain('<h1>Different people by mark in the register</h1>')
  expect(textOf(html)).toContain('3 different people')
  expect(textOf(html)).toContain(
    '7 bookings of 3 different people Bookings from 1 Jan 2026 to 28 Feb 2026. Each person is counted once.',
  )
  expect(textOf(html)).toContain('1 booking without a person: in the 7, not in the 3')
  const [, withoutPerson = ''] = /<a href="([^"]*)">Choose the people</.exec(html) ?? []
  expect(await countListed(withoutPerson)).toBe('1')
  expect(cellsOf(html).slice(1)).toEqual([
    ['Approved', '2', '2', '3', '100%'],
    ['Waiting', '1', '1', '1', '33%'],
    ['Total', '3', '2', '3', '100%'],
  ])
  const links = [...html.matchAll(/<td class="number"><a href="([^"]*)">/g)]
  expect(links).toHaveLength(9)
  const counts = await Promise.all(links.map(async ([, href = '']) => countListed(href)))
  expect(counts).toEqual(['2', '2', '4', '2', '1', '3', '4', '3', '7'])
})

test('a report names all values of its filters, and referenced records by their titles', async () => {
  const person = await withMembers({ Armley: { Woman: 3, Man: 2 } })
  const ofMembers = await person.html('/reports/view?$count=members&Gender=Woman&Gender=Man')
  expect(textOf(ofMembers)).toContain('5 members Members. Only: Gender: Woman or Man.')
  await person.put('events', [{ id: 'e', document: { eventId: 'e', name: 'Open Day' } }])
  const ofBookings = await person.html('/reports/view?$count=bookings&eventId=e')
  expect(textOf(ofBookings)).toContain('Only: Event: Open Day.')
})

test('the form offers the measures that the records have', async () => {
  const person = await withMembers({})
  const choicesOf = async (collection: string) => {
    const html = await person.html(
      `/reports/view?$count=${collection}&$measure=peopleWithAtLeast&$least=3`,
    )
    const [select = ''] = /<select name="\$measured".*?<\/select>/s.exec(html) ?? []
    const radios = html.matchAll(/name="\$measure" value="([^"]*)"/g)
    const options = select.matchAll(/<option value="([^"]*)"/g)
    return { html, names: [...radios, ...options].map(([, name]) => name) }
  }
  const bookings = await choicesOf('bookings')
  expect(bookings.names).toEqual(
    expect.arrayContaining([
      'count',
      'people',
      'sum(duration)',
      'median(customPrice)',
      'share(attending)',
      'peopleWithAtLeast',
    ]),
  )
  expect(bookings.html).toContain('<h1>People with at least 3 bookings by event tags</h1>')
  expect(bookings.html).toMatch(/name="\$least"[^>]*value="3"/)
  expect((await choicesOf('members')).names).toEqual(['count'])
})

test('how often people came adds up to the people, and names the frequent ones', async () => {
  const person = await withMembers({ Armley: { Woman: 8 } })
  // A person's number of bookings in 2026, and one in the year before.
  const times = [1, 1, 2, 3, 5, 6, 12, 0]
  const book = (n: number, date: string, values: object = {}) => ({
    memberId: `m-${n}`,
    orgStatus: 'attended',
    attending: true,
    date,
    ...values,
  })
  const bookings = times.flatMap((count, n) => [
    ...Array.from({ length: count }, () => book(n, '2026-02-01')),
    ...(n < 4 ? [book(n, '2025-02-01')] : []),
  ])
  bookings.push(book(0, '2026-02-02', { orgStatus: 'absent', attending: false }))
  await person.put(
    'bookings',
    bookings.map((document, n) => ({
      id: `b-${n}`,
      document: { bookingId: `b-${n}`, ...document },
    })),
  )
  const period = '$period=from-to&$from=2026-01-01&$to=2026-06-30&$date=date&$compare=true'
  const query = `$count=attendances&$measure=people&$least=3&$by=date~month&${period}`
  const html = await person.html(`/reports/view?${query}`)
  const [, bars = ''] =
    /<ol class="bars" aria-label="How often they came">(.*?)<\/ol>/s.exec(html) ?? []
  expect([...bars.matchAll(/class="number">(\d+)</g)].map(([, count]) => Number(count))).toEqual([
    2, 1, 2, 1, 1,
  ])
  expect(textOf(html)).toContain('4 people at least 3 times: 57%, the year before 0%')
  expect(textOf(html)).toContain(
    'The year before, from 1 Jan 2025 to 30 Jun 2025: 4 attendances of 4 different people',
  )
  expect(textOf(html)).toContain('1 booking of people who did not come')
  const [, listed = ''] = /href="[^"]*(\/reports\/people[^"]*)">Show the 4 people</.exec(html) ?? []
  const list = await person.html(listed.replaceAll('&amp;', '&'))
  const rows = [...list.matchAll(/\/records\/members\/(m-\d)">.*?<td class="number">(\d+)</gs)]
  expect(rows.map(([, id, count]) => [id, Number(count)])).toEqual([
    ['m-6', 12],
    ['m-5', 6],
    ['m-4', 5],
    ['m-3', 3],
  ])
  // Every band is below 5, and with them the people who came often.
  const published = await person.html(`/reports/view?${query}&$hideBelow=5`)
  const [, hidden = ''] =
    /<ol class="bars" aria-label="How often they came">(.*?)<\/ol>/s.exec(published) ?? []
  expect(hidden.match(/>hidden</g)).toHaveLength(5)
  expect(published).not.toContain('/reports/people')
})
