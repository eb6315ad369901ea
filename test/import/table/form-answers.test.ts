import { expect, test } from 'vitest'
import { taking } from './importing.ts'

const question = (questionId: string, title: string, type: string, options: unknown[] = []) => ({
  questionId,
  title,
  type,
  options: options.map((value) => ({ label: String(value), value })),
})

const wellbeing = {
  formId: 'f-1',
  name: 'Wellbeing check-in',
  formFor: 'Members',
  questions: [
    question('intro', 'About your week', 'Heading'),
    question('company', 'I had enough company.', 'Likert Scale', [1, 2, 3]),
    question('joined.in', 'What did you join in? (tick all that apply)', 'Checkbox', [
      'Tea',
      'Walk',
    ]),
    question('consent', 'May we write to you?', 'Checkbox'),
    question('hours', 'How many hours?', 'number'),
    question('word', 'In a word, how are you?', 'Text Input'),
  ],
}
const other = {
  formId: 'f-2',
  name: 'Feedback',
  questions: [question('good', 'What was good?', 'Text Input')],
}

async function answering() {
  const organisation = await taking()
  const { put, take, id: managedBy } = organisation
  await put(
    'forms',
    [wellbeing, other].map((form) => ({
      id: form.formId,
      document: { schemaForm: false, formFor: null, ...form, managedBy },
    })),
  )
  await take('Ref,Name,Email\nA1,Ann,ann@b.org\nA2,Bo,bo@b.org\n')
  return organisation
}

const microsoft = `ID\tStart time\tCompletion time\tEmail\tName\t${wellbeing.questions
  .slice(1)
  .map(({ title }) => title)
  .join(
    '\t',
  )}\n1\t01/06/2025 09:10:05\t01/06/2025 09:20:44\tANN@b.org\tAnn\t3\tTea;Walk;\tYes\t2.5\tfine\n2\t02/12/2025 09:11:05\t02/12/2025 09:21:44\tanonymous\t\t2\tTea;Cake;\tNo\t\t\n`

test("a form's answers become its responses, each question's as what it asks for, and again change nothing", async () => {
  const { take, all } = await answering()
  const name = 'Wellbeing check-in(1-2).txt'
  const { counts, proposal } = await take(microsoft, { name, collection: 'survey-responses' })
  expect(counts).toEqual([2, 2, 0, 0, 0])
  expect(proposal.mapping.id).toEqual({ columns: ['Start time'], isMade: true })
  const [first, second] = await all('survey-responses')
  expect(first).toMatchObject({
    surveyId: 'f-1',
    created: '2025-06-01T08:10:05.000Z',
    date: '2025-06-01T08:20:44.000Z',
    linkedEntities: { memberIds: [] },
  })
  expect(first.responses).toMatchObject([
    { questionId: 'company', question: 'I had enough company.', type: 'select', response: 3 },
    { questionId: 'joined.in', type: 'multiselect', response: ['Tea', 'Walk'] },
    { questionId: 'consent', type: 'boolean', response: true },
    { questionId: 'hours', type: 'number', response: 2.5 },
    { questionId: 'word', type: 'text', response: 'fine' },
  ])
  expect(second.responses.map(({ response }: { response: unknown }) => response)).toEqual([
    2,
    ['Tea', 'Cake'],
    false,
  ])
  const again = await take(microsoft, { name, collection: 'survey-responses' })
  expect(again.counts).toEqual([2, 0, 0, 2, 0])
})

test('respondents are matched by email only on request', async () => {
  const { take, all } = await answering()
  const { outcome } = await take(microsoft, {
    collection: 'survey-responses',
    mappingOptions: { form: 'wellbeing  check-in', match: ['email'] },
  })
  expect(
    (await all('survey-responses')).map(({ linkedEntities }) => linkedEntities.memberIds),
  ).toEqual([['A1'], []])
  expect(outcome.warnings).toEqual([
    expect.objectContaining({
      column: 'Email',
      message: expect.stringContaining('none of the members'),
    }),
  ])
})

test('answers to a schema form fill the fields of who is found by their address', async () => {
  const { take, all, put, id: managedBy } = await answering()
  const document = { ...other, questions: [question('Full Name', 'Name', 'Text Input')], managedBy }
  await put('forms', [
    { id: 'f-2', document: { ...document, schemaForm: true, formFor: 'Members' } },
  ])
  await take('Completion time,Email,Name\n2999-01-02 10:00,ann@b.org,Anna\n', {
    collection: 'survey-responses',
    mappingOptions: { form: 'Feedback', match: ['email'] },
  })
  const [ann] = await all('members')
  expect(ann).toMatchObject({ memberId: 'A1', 'Full Name': 'Anna' })
})

test('an answer that a later export takes away or adds to is changed, and others stay', async () => {
  const { take, all } = await answering()
  const google = (head: string, row: string) =>
    take(`Timestamp,${head}\n2025/06/01 9:00:12 AM GMT+1,${row}\n`, { name: 'responses.csv' })
  await google('I had enough company,How many hours?,May we write to you?', '1,4,Yes')
  const { counts } = await google(
    'I had enough company,How many hours?,"In a word, how are you?"',
    '2,,well',
  )
  expect(counts).toEqual([1, 0, 1, 0, 0])
  const [{ responses, date }] = await all('survey-responses')
  expect(date).toBe('2025-06-01T08:00:12.000Z')
  expect(
    responses.map(({ questionId, response }: Record<string, unknown>) => [questionId, response]),
  ).toEqual([
    ['company', 2],
    ['consent', true],
    ['word', 'well'],
  ])
})

test('a form that is not sure is not guessed', async () => {
  const { take } = await answering()
  const asked = { name: 'x.csv', collection: 'survey-responses' }
  const text = 'Timestamp,Something else\n2025/06/01 9:00:12 AM GMT,1\n'
  await expect(take(text, asked)).rejects.toThrow(
    'does not say which form its answers are of: choose "Wellbeing check-in" (f-1), "Feedback" (f-2).',
  )
  await expect(take(text, { ...asked, mappingOptions: { form: 'none' } })).rejects.toThrow(
    'choose "Well',
  )
  await expect(take(text, { ...asked, mappingOptions: { form: 'f-2' } })).rejects.toThrow(
    'has no column that is called as a question of "Feedback" is.',
  )
  const without = await taking()
  await expect(without.take(text, asked)).rejects.toThrow('there is no form yet')
})
