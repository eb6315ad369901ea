import { formatCount } from '../../platform/pluralise.ts'
import { isBoolean, isDated, isNumber, type ValueType } from '../value-types.ts'

/** The field that a measure reads; with a question, its answers, which can have any type. */
type MeasuredField = { type: ValueType; question?: string | undefined }

/** What a measure is of, in words: the records, its field, and the number of `peopleWithAtLeast`. */
export type MeasureNouns = { singular: string; plural: string; field: string; least: number }

/** How reports name a measure. */
export type MeasureWords = {
  /** Counts have shares of their total; values have the format of the field; shares are percentages. */
  unit: 'count' | 'value' | 'share'
  /** The choice in the form, or the heading of the fields to choose from. */
  choice: string
  /** The heading of its results, and the beginning of a report's name. */
  label: (of: MeasureNouns) => string
  /** A result in a sentence; by default after the label and a colon. */
  describe?: (count: number, of: MeasureNouns) => string
}

type Argument = 'field' | 'number'

type MeasureRules = {
  /** The arguments in parentheses after the name. */
  arguments: readonly Argument[]
  /** What the measure is, in the documentation of the API. */
  description: string
  /** Whether the measure counts the people that records refer to. */
  countsPeople?: true
  /** Whether the field must be one of the people that records refer to. */
  ofPerson?: true
  /** Whether the measure compares records of different dates. */
  readsDates?: true
  /** The fields that the measure can be of, in words, and the test of one. */
  fields?: { words: string; accept: (field: MeasuredField) => boolean }
  /** Absent for a measure that reports do not offer. */
  report?: MeasureWords
}

/** Whether a field has values of a type, or answers. */
const mayBe =
  (isOfType: (field: MeasuredField) => boolean) =>
  (field: MeasuredField): boolean =>
    isOfType(field) || field.question !== undefined

export const mayBeNumber = mayBe(isNumber)

const numbers = { words: 'a number', accept: mayBeNumber }

const yesOrNo = { words: 'yes or no', accept: mayBe(isBoolean) }

const numbersAndDates = {
  words: 'a number, a date or a time',
  accept: (field: MeasuredField) => mayBeNumber(field) || isDated(field),
}

const countRecords = (count: number, { singular, plural }: MeasureNouns) =>
  formatCount(count, singular, plural)

const rules = {
  count: {
    arguments: [],
    description: 'the number of records',
    report: {
      unit: 'count',
      choice: 'Number',
      label: ({ plural }) => plural.charAt(0).toUpperCase() + plural.slice(1),
      describe: countRecords,
    },
  },
  people: {
    arguments: [],
    description: 'the number of different people to whom they refer',
    countsPeople: true,
    report: {
      unit: 'count',
      choice: 'Different people',
      label: () => 'Different people',
      describe: (count) => formatCount(count, 'person', 'different people'),
    },
  },
  distinct: { arguments: ['field'], description: 'the number of different values' },
  sum: {
    arguments: ['field'],
    description: 'the sum of a number',
    fields: numbers,
    report: { unit: 'value', choice: 'Sum', label: ({ field }) => `Sum of ${field}` },
  },
  average: {
    arguments: ['field'],
    description: 'the average of a number',
    fields: numbers,
    report: { unit: 'value', choice: 'Average', label: ({ field }) => `Average ${field}` },
  },
  median: {
    arguments: ['field'],
    description: 'the median of a number',
    fields: numbers,
    report: { unit: 'value', choice: 'Median', label: ({ field }) => `Median ${field}` },
  },
  min: {
    arguments: ['field'],
    description: 'the lowest number or the first date',
    fields: numbersAndDates,
  },
  max: {
    arguments: ['field'],
    description: 'the highest number or the last date',
    fields: numbersAndDates,
  },
  share: {
    arguments: ['field'],
    description: 'the share of yes among yes and no',
    fields: yesOrNo,
    report: {
      unit: 'share',
      choice: 'Share of yes',
      label: ({ field }) => `Share of yes in ${field}`,
    },
  },
  shareOfPeople: {
    arguments: ['field', 'number'],
    description: 'the same of the people with n records or more',
    fields: yesOrNo,
    countsPeople: true,
    ofPerson: true,
    report: {
      unit: 'share',
      choice: 'Share of yes, of people at least as many times',
      label: (of) =>
        `Share of yes in ${of.field}, of people with at least ${countRecords(of.least, of)}`,
    },
  },
  known: { arguments: ['field'], description: 'the number of records with a value' },
  averageFirst: {
    arguments: ['field'],
    description:
      'the average of a number in the first record, by date, of each person with at least two',
    fields: numbers,
    countsPeople: true,
    readsDates: true,
    report: {
      unit: 'value',
      choice: 'Average before: the first of each person',
      label: ({ field }) => `Average ${field} before`,
    },
  },
  averageLast: {
    arguments: ['field'],
    description: 'the same of the last record',
    fields: numbers,
    countsPeople: true,
    readsDates: true,
    report: {
      unit: 'value',
      choice: 'Average after: the last of each person',
      label: ({ field }) => `Average ${field} after`,
    },
  },
  peopleWithAtLeast: {
    arguments: ['number'],
    description: 'the number of different people with n records or more',
    countsPeople: true,
    report: {
      unit: 'count',
      choice: 'People at least',
      label: (of) => `People with at least ${countRecords(of.least, of)}`,
      describe: (count, of) =>
        `${formatCount(count, 'person', 'people')} with at least ${countRecords(of.least, of)}`,
    },
  },
} as const satisfies Record<string, MeasureRules>

export type MeasureName = keyof typeof rules

/** The spelling and the words of each measure. Its computation is in `src/store/summary/measures.ts`. */
export const measureRules: Readonly<Record<MeasureName, MeasureRules>> = rules

export const measureNames = Object.keys(rules) as MeasureName[]

const spellMeasure = (name: MeasureName): string => {
  const names = measureRules[name].arguments.map((argument) => (argument === 'field' ? 'x' : 'n'))
  return names.length > 0 ? `${name}(${names.join()})` : name
}

/** The measures with their arguments: `x` is a field, `n` a number. */
export const spellMeasures = (): string => measureNames.map(spellMeasure).join(', ')

/** The measures with their spelling, as the documentation of the API lists them. */
export const describeMeasures = (): string =>
  measureNames
    .map((name) => `\`${spellMeasure(name)}\` is ${measureRules[name].description}`)
    .join('; ')
