import { isBirthDate } from '../../model/properties/recognise.ts'
import { measureRules } from '../../model/summary/measure-names.ts'
import type { FilterProperty } from '../filters/filter.ts'
import { findJoiningDate } from './report-query.ts'

/** The properties of the collections that the questions are about. */
export type AnnualProperties = Record<
  'bookings' | 'members' | 'volunteers',
  readonly FilterProperty[]
>

type Params = Readonly<Record<string, string>>

/** A question that funders and regulators ask each year. Lists the parameters of the reports that answer it, as far as the properties allow. */
type AnnualQuestion = { title: string; reports: (properties: AnnualProperties) => Params[] }

const attendances = { $count: 'attendances', $date: 'date' }
const peopleWhoCame = { ...attendances, $measure: 'people' }

/** People who came, by a property of the members. */
const peopleBy =
  (accept: (property: FilterProperty) => boolean, bucket = '') =>
  ({ bookings }: AnnualProperties): Params[] =>
    bookings
      .filter((property) => property.name.startsWith('member.') && accept(property))
      .slice(0, 1)
      .map(({ name }) => ({ ...peopleWhoCame, $by: name + bucket }))

const isNamed =
  (words: RegExp) =>
  ({ name, label }: FilterProperty) =>
    words.test(`${name} ${label}`)

/** The questions in the order of the page. */
export const annualQuestions: readonly AnnualQuestion[] = [
  {
    title: 'How many people came, and how often?',
    reports: () => [peopleWhoCame, attendances].map((it) => ({ ...it, $by: 'date~month' })),
  },
  {
    title: 'How many people were new?',
    reports: ({ members }) => {
      const joined = findJoiningDate(members)
      if (!joined) return []
      return [{ $count: 'members', $by: `${joined.name}~month`, $date: joined.name }]
    },
  },
  { title: 'Where do they live?', reports: peopleBy(({ name }) => name.endsWith('.ward')) },
  { title: 'How old are they?', reports: peopleBy(isBirthDate, '~age') },
  { title: 'Which gender are they?', reports: peopleBy(isNamed(/\b(?:gender|sex)\b/i)) },
  { title: 'Which ethnicity are they?', reports: peopleBy(isNamed(/\bethnic/i)) },
  {
    title: 'How many volunteers are there, and how many hours did they give?',
    reports: ({ volunteers }) => [
      { $count: 'volunteers' },
      ...volunteers
        .filter((property) => measureRules.sum.fields?.accept(property))
        .filter(isNamed(/\bhours?\b/i))
        .slice(0, 1)
        .map(({ name }) => ({ $count: 'volunteers', $measure: `sum(${name})` })),
    ],
  },
  {
    title: 'How much did each fund grant?',
    reports: () => [
      {
        $count: 'grant-applications',
        $measure: 'sum(amountAwarded)',
        $by: 'fundId',
        $date: 'dates.awarded',
      },
    ],
  },
]
