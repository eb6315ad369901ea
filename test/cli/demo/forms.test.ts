import { expect, test } from 'vitest'
import { demo, schemas, sum } from './records.ts'

const ofForm = (id: string) => demo.responses.filter(({ surveyId }) => surveyId === id)

test('every type of form is there, and forms about members’ own fields ask for fields of theirs', () => {
  expect(new Set(demo.forms.map(({ type }) => type)).size).toBe(6)
  const fields = schemas.members.fields.map(({ id }) => id)
  const about = demo.forms.filter(({ schemaForm }) => schemaForm)
  expect(about).toMatchObject([{ formFor: 'Members' }])
  for (const { questionId } of about.flatMap(({ questions }) => questions)) {
    expect(fields).toContain(questionId)
  }
})

test('every form is answered, each answer to one of its questions', () => {
  const forms = new Map(demo.forms.map((form) => [form.formId, form]))
  const answeredIds = new Set(demo.responses.map(({ surveyId }) => surveyId))
  expect(answeredIds.size).toBe(forms.size)
  for (const { surveyId, responses } of demo.responses) {
    expect(responses.length).toBeGreaterThan(0)
    const questions = forms.get(surveyId)?.questions.map(({ questionId }) => questionId)
    for (const { questionId } of responses) expect(questions).toContain(questionId)
  }
})

test('what members answered about themselves is left to their answers', () => {
  const members = new Map(demo.members.map((member) => [member.memberId, member]))
  const aboutYou = ofForm('form-about-you')
  expect(aboutYou.length).toBeGreaterThan(0)
  for (const { linkedEntities, responses } of aboutYou) {
    const answeredIds = new Set(responses.map(({ questionId }) => questionId))
    for (const id of linkedEntities.memberIds) {
      expect(Object.keys(members.get(id) ?? {}).filter((key) => answeredIds.has(key))).toEqual([])
    }
  }
})

test('a score is the sum of the chosen options', () => {
  const scored = demo.responses.filter(({ surveyScore }) => surveyScore !== null)
  expect(new Set(scored.map(({ surveyId }) => surveyId))).toEqual(
    new Set(['form-wellbeing', 'form-scorecard']),
  )
  for (const { surveyScore, responses } of scored) {
    const numbers = responses.map(({ response }) => (typeof response === 'number' ? response : 0))
    expect(surveyScore).toBe(sum(numbers))
  }
})

test('of the case notes some are private, some pinned, and cases go on', () => {
  const { caseNotes } = demo
  for (const property of ['isPrivate', 'isPinned'] as const) {
    expect(new Set(caseNotes.map((note) => note[property]))).toEqual(new Set([true, false]))
  }
  expect(new Set(caseNotes.map(({ caseId }) => caseId)).size).toBeLessThan(caseNotes.length)
})
