import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { periodDays } from '../../../src/dashboard/filters/periods.ts'
import { londonDay } from '../../../src/model/timestamp.ts'
import { fileOf, read } from '../../import/table/files.ts'
import { startJobs } from './jobs.ts'

const job = await startJobs()

job('correct a phone number found by half a name', 4, async ({ page, click, api, width }) => {
  await click(page.getByRole('link', { name: 'Search' }))
  await page.getByLabel('Find a person').fill('abar')
  await page.getByLabel('Find a person').press('Enter')
  await click(page.getByRole('link', { name: 'Amara Abara' }))
  await click(page.getByRole('link', { name: 'Edit', exact: true }))
  const phone = `0113 496 ${String(width).padStart(4, '0')}`
  await page.getByLabel('Phone').fill(phone)
  await click(page.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved.').waitFor()
  expect(await api('members/member-0001')).toMatchObject({
    member: { fields: expect.arrayContaining([expect.objectContaining({ value: phone })]) },
  })
})

job('members per ward as a chart', 4, async ({ page, click, width }) => {
  if (width < 768) await click(page.getByText('More', { exact: true }))
  await click(page.getByRole('link', { name: 'Reports' }))
  await click(page.getByRole('link', { name: 'Members by ward' }))
  const chart = page.getByRole('list', { name: 'Members by ward' })
  await chart.getByText('Beeston & Holbeck').waitFor()
  const counts = await chart.locator('.number').allTextContents()
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(160)
})

job("create a funder's key without personal details", 3, async ({ page, click, home, width }) => {
  if (width < 768) await click(page.getByText('More', { exact: true }))
  await click(page.getByRole('link', { name: 'Settings' }))
  await page.getByLabel('Name', { exact: true }).fill(`Funder ${width}`)
  await click(page.getByRole('button', { name: 'Create key' }))
  const key = (await page.locator('#new-key').innerText()).trim()
  const address = new URL('/api/v1/members/member-0001', home)
  const answer = await (await fetch(address, { headers: { 'x-api-key': key } })).text()
  expect(answer).toContain('England')
  for (const detail of ['Amara', 'Abara', 'example.org', '0113 4'])
    expect(answer).not.toContain(detail)
})

job(
  'book a member onto a date of an event by keyboard',
  1,
  async ({ page, click, home, width }) => {
    await page.goto(`${home}/records/new/bookings?member=member-0001`)
    const search = page.getByRole('combobox', { name: 'Search for event' })
    await search.fill(width === 390 ? 'munity lun' : 'job clu')
    await page.getByRole('option').first().waitFor()
    await search.press('ArrowDown')
    await search.press('ArrowDown')
    await search.press('Escape')
    await search.press('ArrowUp')
    await search.press('ArrowUp')
    const option = page.getByRole('option', { selected: true })
    const title = await option.innerText()
    await search.press('Enter')
    expect(await page.getByRole('listbox').filter({ visible: true }).count()).toBe(0)
    expect(await page.getByRole('radio', { checked: true }).first().isChecked()).toBe(true)
    expect(title).toContain('20')
    await click(page.getByRole('button', { name: 'Save booking' }))
    await page.getByText('Booking added.').waitFor()
    expect(page.url()).toContain('/records/members/member-0001')
  },
)

job(
  'download the bookings of last quarter for events tagged Food for Excel',
  6,
  async ({ page, click, api, width }) => {
    const today = londonDay(Date.now())
    const { from, to } = periodDays('last-quarter', today)
    const [eventId, date, userName] = ['event-supper', from, 'Ada Obi']
    await api('events', 'PATCH', { events: [{ eventId, name: 'Supper', tags: ['Food'] }] })
    await api('bookings', 'PATCH', { bookings: [{ bookingId: 'b-1', eventId, date, userName }] })
    await click(page.getByRole('link', { name: 'Events', exact: true }))
    await click(page.getByRole('link', { name: 'Bookings' }))
    await click(page.getByRole('link', { name: 'Filter' }))
    await click(page.getByText('Last quarter', { exact: true }))
    await page.getByLabel('Another value of Event tags').fill('Food')
    await page.getByLabel('Another value of Event tags').press('Enter')
    await page.getByText(/^\d+ of [\d,]+ bookings$/).waitFor()
    const caption = await page.locator('caption').innerText()
    await click(
      width < 768
        ? page.getByLabel('More actions', { exact: true })
        : page.getByText('Download', { exact: true }).first(),
    )
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      click(page.getByRole('link', { name: /^Excel: these/ }).filter({ visible: true })),
    ])
    const bytes = await readFile(await download.path())
    const { headings, rows } = await read(fileOf(bytes, download.suggestedFilename(), 10_000))
    expect(rows.length).toBe(Number.parseInt(caption, 10))
    const dates = rows.map((row) => String(row[headings.indexOf('Date') + 1]))
    expect(dates.toSorted()[0]).toBe(from)
    expect(dates.every((day) => day <= to)).toBe(true)
    expect(rows.flat()).toContain('Supper')
  },
)
job("import the members' export by mapping its values", 8, async ({ page, click, api, width }) => {
  const rows = [
    `Ref,Full Name,Gender,Ethnicity,Size ${width}`,
    ...['Female,White British', 'female,Chinese', 'Male,White British'].map(
      (values, at) => `job-${width}-${at},Person ${at} of ${width},${values},${at}`,
    ),
  ]
  if (width < 768) await click(page.getByText('More', { exact: true }))
  await click(page.getByRole('link', { name: 'Import', exact: true }))
  await chooseFile(page, 'members-export.csv', rows)
  await click(page.getByRole('button', { name: 'Read file' }))
  await page.getByLabel('Value for Female').selectOption('Woman')
  await page.getByLabel('Value for Male').selectOption('Man')
  await page.getByLabel('Value for White British').selectOption('White')
  await page.getByLabel('Value for Chinese').selectOption({ label: 'Asian or Asian British' })
  await click(page.getByRole('button', { name: 'Update preview' }))
  await click(page.getByRole('button', { name: 'Import 3 rows' }))
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  expect(await page.locator('.counts').innerText()).toContain('3 new')
  const values = ['Woman', 'Asian or Asian British'].map((value) =>
    expect.objectContaining({ value }),
  )
  expect(await api(`members/job-${width}-1`)).toMatchObject({
    member: { fields: expect.arrayContaining(values) },
  })
})

job(
  'import the sign-in sheet of one date of a recurring event with two unknown people',
  7,
  async ({ page, click, api, width }) => {
    const eventId = `job-club-${width}`
    const name = `Lunch club ${width}`
    const recurrence = { type: 'weekly', recurring: true, rrule: 'FREQ=WEEKLY' }
    await api('events', 'POST', { eventId, name, recurrence })
    for (const days of [8, 1]) {
      const start = new Date(Date.now() - days * 864e5).toISOString()
      await api('events', 'POST', {
        eventId: `${eventId}-${days}`,
        name,
        start,
        parentEventId: eventId,
      })
    }
    const people = ['Zed', 'Yan'].map(
      (first) => `${first} Of${width},${first}${width}@people.test,Yes`,
    )
    if (width < 768) await click(page.getByText('More', { exact: true }))
    await click(page.getByRole('link', { name: 'Import', exact: true }))
    await chooseFile(page, 'sign-in-bookings.csv', ['Name,E-mail,Came', ...people])
    await click(page.getByRole('button', { name: 'Read file' }))
    await page.getByRole('combobox', { name: 'Search for which event' }).fill(name)
    await click(page.locator(`[data-id="${eventId}-1"]`))
    await click(page.getByRole('button', { name: 'Show preview' }))
    await page.getByText('2 new members').waitFor()
    await click(page.getByRole('button', { name: 'Import 2 rows' }))
    await page.getByText('2 people became members.').waitFor()
    expect(await api(`bookings?eventId=${eventId}`)).toMatchObject({
      bookings: people.map(() => ({
        childEventId: `${eventId}-1`,
        orgStatus: 'attended',
        memberId: expect.stringMatching(/./),
      })),
    })
  },
)

async function chooseFile(page: Page, name: string, rows: readonly string[]) {
  const input = page.getByLabel('File', { exact: true })
  // Without its script, which a fast click precedes, the page asks for the file once more.
  await input.waitFor()
  await page.waitForLoadState()
  await input.setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\n')),
  })
}

job('undo an import', 2, async ({ page, click, api, home, width }) => {
  const ids = ['one', 'two'].map((name) => `imported-${name}-${width}`)
  await api(
    'imports?collection=members',
    'POST',
    ids.map((memberId) => ({ memberId })),
  )
  await page.goto(`${home}/import/done`)
  await click(page.getByRole('link', { name: 'Import of members' }).first())
  await click(page.getByRole('button', { name: 'Undo this import' }))
  await page.getByText('This import is undone: 2 reverted.').waitFor()
  for (const id of ids) expect(await api(`members/${id}`)).toMatchObject({ type: 'NOT_FOUND' })
})

job(
  'merge two suggested duplicates and undo it',
  3 + 2,
  async ({ page, click, api, home, width }) => {
    const ids = [`twin-${width}`, `double-${width}`]
    const Email = `twin-${width}@example.org`
    const names = [`Xanthe Twin ${width}`, `X. Twin ${width}`]
    await api('members', 'PATCH', {
      members: ids.map((memberId, index) => ({ memberId, Email, 'Full Name': names[index] })),
    })
    // The list of people compares them after its response.
    const notice = page.getByRole('link', { name: /likely duplicate/ })
    await expect
      .poll(
        async () => {
          await page.goto(`${home}/records/members`)
          return notice.isVisible()
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toBe(true)
    await click(notice)
    await click(page.getByRole('link', { name: `Merge ${names.join(' and ')}` }))
    await click(page.getByRole('button', { name: 'Merge', exact: true }))
    await page.getByText('Merged.').waitFor()
    expect(await api(`members/${ids[1]}`)).not.toHaveProperty('member')
    await click(page.getByRole('button', { name: 'Undo', exact: true }))
    await page.getByRole('status').getByText('Restored').waitFor()
    for (const id of ids) expect(await api(`members/${id}`)).toHaveProperty('member')
  },
)

job('restore a deleted event with its bookings', 3, async ({ page, click, api }) => {
  const bookings = 'bookings?eventId=event-open-day-1&limit=1'
  const before = await api(bookings)
  await api('events/event-open-day-1?$cascade=true', 'DELETE')
  expect(await api(bookings)).toMatchObject({ total: 0 })
  await click(page.getByLabel('More actions', { exact: true }))
  await click(page.getByRole('link', { name: 'Recently deleted' }))
  await click(page.getByRole('button', { name: 'Restore Open Day' }))
  await page.getByText('Restored, with').waitFor()
  expect(await api(bookings)).toEqual(before)
})

job('see who changed a record, from what to what', 2, async ({ page, click, api, width }) => {
  await api('members/member-0001', 'PATCH', { 'Household Size': 2 })
  await api('members/member-0001', 'PATCH', { 'Household Size': width })
  await click(page.getByRole('link', { name: 'Amara Abara' }))
  const entry = await page.locator('#history li').first().innerText()
  const latest = entry.replaceAll(/\s+/g, ' ')
  for (const text of [
    'Household Size',
    'From 2',
    `To ${width.toLocaleString('en-GB')}`,
    'key Demo',
  ])
    expect(latest).toContain(text)
})
