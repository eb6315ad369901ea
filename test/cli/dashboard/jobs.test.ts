import { expect } from 'vitest'
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

job("create a funder's key without personal details", 3, async ({ page, click, home, width }) => {
  if (width < 768) await click(page.getByText('More', { exact: true }))
  await click(page.getByRole('link', { name: 'Settings' }))
  await page.getByLabel('Name', { exact: true }).fill(`Funder ${width}`)
  await click(page.getByRole('button', { name: 'Create key' }))
  const key = (await page.locator('#new-key').innerText()).trim()
  const address = new URL('/api/v1/members/member-0001', home)
  const answer = await (await fetch(address, { headers: { 'x-api-key': key } })).text()
  expect(answer).toContain('England')
  for (const detail of ['Amara', 'Abara', 'example.org', '0113'])
    expect(answer).not.toContain(detail)
})
