import { beforeAll, expect, test } from 'vitest'
import { newSignedIn } from '../dashboard/signed-in.ts'
import { rowsRead } from '../organisation.ts'
import { newSurveyOrganisation } from '../resources/summary/survey.ts'

const [responses, others] = [10_000, 200]

let person: Awaited<ReturnType<typeof newSignedIn>>

beforeAll(async () => {
  const organisation = await newSurveyOrganisation({ responses, others, people: 5000 })
  person = await newSignedIn('reader', organisation)
}, 400_000)

/** Rows that do not grow with the records: up to 2,001 values of each of six fields, to see whether the index is cheaper, and few others. */
const overhead = 6 * 2001 + 500

test.each([
  // One row for the fields of each response, and one for its answers.
  ['a form with 10,000 responses', 'survey', 2 * (responses + others)],
  // The responses are scattered, so that each needs its ordinal too.
  ['one with 200 responses beside these', 'other', 4 * others],
])(
  'the results of %s read each response twice',
  async (_, form, rows) => {
    const page = await person.visit(`/forms/${form}/results`)
    expect(await page.text()).toContain(`${form === 'survey' ? '10,000' : '200'} responses`)
    expect(rowsRead(page)).toBeLessThanOrEqual(rows + overhead)
  },
  60_000,
)
