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
