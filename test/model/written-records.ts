import fc from 'fast-check'
import type { Precondition, Request, Values, Writing } from './one-record.ts'

/** A collection for concurrent writes: how its records change, and the bodies of the requests. */
export type ConcurrentCollection = Writing & {
  singular: string
  idName: string
  /** The bodies of a `PUT`. */
  bodies: fc.Arbitrary<Values>
  /** The bodies of a `PATCH`, also of a list. */
  patches: fc.Arbitrary<Values>
  /** Returns the part of an answer that the model describes. */
  read(record: Values): Values
}

const text = fc.constantFrom('a', 'b', '')

const memberValues = {
  'Full Name': fc.constantFrom('a', 'b'),
  Age: fc.constantFrom(0, 4),
  Consent: fc.boolean(),
  Postcode: fc.constantFrom('LS11 0ES', 'M1 1AA'),
}

const members: ConcurrentCollection = {
  singular: 'member',
  idName: 'memberId',
  bodies: fc
    .record(memberValues, { requiredKeys: [] })
    .filter((body) => Object.keys(body).length > 0),
  patches: fc.record(orNull(memberValues), { requiredKeys: [] }),
  read: ({ fields }) =>
    Object.fromEntries(
      (fields as { key: string; value: unknown }[])
        .filter(({ key }) => key in memberValues)
        .map(({ key, value }) => [key, value]),
    ),
  put: withoutNulls,
  patch: (before, body) => withoutNulls({ ...before, ...body }),
}

const venue = { name: text, address: text }
const eventValues = { name: text, colour: text }
const emptyVenue = { name: '', address: '' }
const emptyEvent = { name: '', colour: '' }

const events: ConcurrentCollection = {
  singular: 'event',
  idName: 'eventId',
  bodies: fc.record(
    { ...eventValues, venue: fc.record(venue, { requiredKeys: [] }) },
    { requiredKeys: [] },
  ),
  patches: fc.record(
    {
      ...orNull(eventValues),
      venue: fc.option(fc.record(orNull(venue), { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  ),
  read: ({ name, colour, venue }) => {
    const { name: called, address } = venue as Values
    return { name, colour, venue: { name: called, address } }
  },
  put: (body) => patchEvent({ ...emptyEvent, venue: emptyVenue }, body),
  patch: patchEvent,
}

function patchEvent({ venue: oldVenue, ...before }: Values, { venue, ...body }: Values): Values {
  const newVenue = venue === null ? emptyVenue : { ...(oldVenue as Values), ...(venue as Values) }
  return { ...withEmpty({ ...before, ...body }), venue: withEmpty(newVenue) }
}

const questions = fc.uniqueArray(fc.constantFrom('q1', 'q2', 'q3'), { maxLength: 2 })
const questionList = questions.map((ids) => ids.map((questionId) => ({ questionId })))
const counts = fc.constantFrom(0, 1, 2, 9, null)
const formValues = { name: text, questions: questionList, questionCount: counts }

const forms: ConcurrentCollection = {
  singular: 'form',
  idName: 'formId',
  bodies: fc.record({ type: fc.constant('survey'), ...formValues }, { requiredKeys: ['type'] }),
  patches: fc.record(
    { type: fc.constant('survey'), ...formValues, name: fc.option(text) },
    { requiredKeys: ['type'] },
  ),
  read: ({ name, questions, questionCount }) => ({
    name,
    questions: idsOf(questions),
    questionCount,
  }),
  put: ({ name, questions = [], questionCount }, before) =>
    withQuestionCount({ name: name ?? '', questions: idsOf(questions), questionCount }, before),
  patch(before, { type: _, questions, ...body }) {
    const { name, ...form } = { ...before, ...body }
    const ids = questions === undefined ? before.questions : idsOf(questions)
    return withQuestionCount({ ...form, name: name ?? '', questions: ids }, before)
  },
}

/** Counts the questions, unless the input has a count. */
function withQuestionCount(form: Values, before: Values | undefined): Values {
  const { questions, questionCount } = form
  const [old, wasCount] = [before?.questions as string[] | undefined, before?.questionCount]
  const count = (questions as string[]).length
  const wasCounted = old !== undefined && wasCount === old.length && questionCount === wasCount
  return { ...form, questionCount: wasCounted ? count : (questionCount ?? count) }
}

const idsOf = (questions: unknown) =>
  (questions as { questionId: string }[]).map(({ questionId }) => questionId)

export const concurrentCollections = { members, events, forms }

/** The requests of up to three clients; each sends one after the other. */
export function clientsOf({ bodies, patches }: ConcurrentCollection): fc.Arbitrary<Request[][]> {
  const precondition = (...names: Precondition[]) =>
    fc.option(fc.constantFrom(...names), { nil: undefined, freq: 2 })
  const matching = precondition('match any', 'match last')
  const method = <Name extends string>(name: Name) => fc.constant(name)
  const request = fc.oneof<fc.Arbitrary<Request>[]>(
    fc.record({ method: method('get') }),
    fc.record({ method: method('delete'), precondition: matching }),
    fc.record({
      method: method('put'),
      body: bodies,
      precondition: precondition('match any', 'match last', 'match none'),
    }),
    ...[1, 2, 3].map(() =>
      fc.record({ method: method('patch'), body: patches, precondition: matching }),
    ),
    fc.record({ method: method('patchList'), body: patches }),
  )
  const client = fc.array(request, { minLength: 1, maxLength: 3 })
  return fc.array(client, { minLength: 2, maxLength: 3 })
}

function orNull<Shape extends Record<string, fc.Arbitrary<unknown>>>(shape: Shape) {
  return Object.fromEntries(
    Object.entries(shape).map(([name, value]) => [name, fc.option(value, { freq: 3 })]),
  )
}

function withoutNulls(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

function withEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']))
}
