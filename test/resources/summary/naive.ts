import { valueAt } from '../../../src/model/json.ts'

/** A record as a download has it, with the records that it refers to as `$event` and `$member`. */
export type Downloaded = Record<string, unknown>

/** A downloaded record in which people have their fields by id. */
export function flattenPeople(record: Downloaded): Downloaded {
  const { fields, $member, ...others } = record
  const member =
    typeof $member === 'object' && $member ? { $member: flattenPeople({ ...$member }) } : {}
  if (!Array.isArray(fields)) return { ...others, ...member }
  return { ...others, ...Object.fromEntries(fields.map(({ key, value }) => [key, value])) }
}

type Scalar = string | number | boolean

/** The values of a name, such as `event.tags`, in a downloaded record. */
export function valuesOf(record: Downloaded, name: string): Scalar[] {
  const [first = '', ...rest] = name.split('.')
  const isReference = ['event', 'member'].includes(first) && rest.length > 0
  const value = isReference
    ? valueAt(record[`$${first}`], rest)
    : (record[name] ?? valueAt(record, name.split('.')))
  return [value]
    .flat()
    .filter((item) => item !== null && item !== undefined && item !== '')
    .map((item) => item as Scalar)
}

/** The different people in a list of records. */
const peopleOf = (record: Downloaded): string[] => [
  ...valuesOf(record, 'memberId').map((id) => `member ${id}`),
  ...['memberIds', 'volunteerIds', 'partnerIds'].flatMap((list) =>
    valuesOf(record, `linkedEntities.${list}`).map((id) => `${list} ${id}`),
  ),
]

function countPeople(records: readonly Downloaded[]) {
  const counts: Record<string, number> = {}
  for (const person of records.flatMap((record) => [...new Set(peopleOf(record))]))
    counts[person] = (counts[person] ?? 0) + 1
  return Object.values(counts)
}

const numbersOf = (records: readonly Downloaded[], name: string) =>
  records.flatMap((record) => valuesOf(record, name)).filter((value) => typeof value === 'number')

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** The result of a measure, computed from the records one by one. */
export function measureNaively(text: string, records: readonly Downloaded[]): unknown {
  const [, measure = '', argument = ''] = /^(\w+)(?:\((.*)\))?$/.exec(text) ?? []
  const numbers = () => numbersOf(records, argument)
  const all = () => records.flatMap((record) => valuesOf(record, argument)).toSorted()
  switch (measure) {
    case 'count':
      return records.length
    case 'people':
      return countPeople(records).length
    case 'peopleWithAtLeast':
      return countPeople(records).filter((count) => count >= Number(argument)).length
    case 'shareOfPeople': {
      const [name = '', least] = argument.split(',')
      const ofPerson = Map.groupBy(
        records.flatMap((record) => peopleOf(record).map((person) => ({ person, record }))),
        ({ person }) => person,
      )
      const answers = [...ofPerson.values()]
        .filter((all) => all.length >= Number(least))
        .flatMap(([first]) => (first ? valuesOf(first.record, name) : []))
      return answers.length > 0 ? answers.filter(Boolean).length / answers.length : null
    }
    case 'distinct':
      return new Set(records.flatMap((record) => valuesOf(record, argument))).size
    case 'sum':
      return numbers().length > 0 ? total(numbers()) : null
    case 'average':
      return numbers().length > 0 ? total(numbers()) / numbers().length : null
    case 'median': {
      const sorted = numbers().toSorted((one, other) => one - other)
      const middle = sorted.length / 2
      const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
      return low === undefined || high === undefined ? null : (low + high) / 2
    }
    case 'min':
      return argument === 'date' ? (all()[0] ?? null) : extreme(numbers(), Math.min)
    case 'max':
      return argument === 'date' ? (all().at(-1) ?? null) : extreme(numbers(), Math.max)
    default: {
      const answers = records.flatMap((record) => valuesOf(record, argument))
      return answers.length > 0 ? answers.filter(Boolean).length / answers.length : null
    }
  }
}

const extreme = (numbers: number[], choose: (...numbers: number[]) => number) =>
  numbers.length > 0 ? choose(...numbers) : null

const londonDay = (time: string) =>
  new Date(time).toLocaleDateString('en-CA', { timeZone: 'Europe/London' })

const dayOf = (date: string) => (date.length > 10 ? londonDay(date) : date)

/** The group of a date in a bucket. */
function bucketOf(bucket: string, value: string, today: string): string[] {
  const day = dayOf(value)
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const start = month >= 4 ? year : year - 1
  const names: Record<string, () => string[]> = {
    day: () => [day],
    month: () => [day.slice(0, 7)],
    quarter: () => [`${year}-Q${Math.floor((month + 2) / 3)}`],
    year: () => [String(year)],
    financialYear: () => [`${start}/${String(start + 1).slice(2)}`],
    week: () => [weekOf(year, month, date)],
    weekday: () => [
      String(
        1 +
          ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(
            new Date(`${day}T12:00:00Z`).toUTCString().slice(0, 3),
          ),
      ),
    ],
    age: () => {
      const [nowYear = 0, nowMonth = 0, nowDate = 0] = today.split('-').map(Number)
      const before = 100 * nowMonth + nowDate < 100 * month + date ? 1 : 0
      const decade = 10 * Math.floor((nowYear - year - before) / 10)
      return day > today ? [] : [`${decade}-${decade + 9}`]
    },
  }
  return names[bucket]?.() ?? []
}

/** Counts the weeks from the Monday of the week with 4 January. */
function weekOf(year: number, month: number, date: number): string {
  const days = Date.UTC(year, month - 1, date) / 86_400_000
  const monday = (day: number) => day - ((((day + 3) % 7) + 7) % 7)
  const firstOf = (it: number) => monday(Date.UTC(it, 0, 4) / 86_400_000)
  const ofYear = [year + 1, year, year - 1].find((it) => firstOf(it) <= days) ?? year
  return `${ofYear}-W${String((monday(days) - firstOf(ofYear)) / 7 + 1).padStart(2, '0')}`
}

/** The groups of a summary, the records in none, and all records. */
export function groupNaively(records: readonly Downloaded[], by: readonly string[], today: string) {
  const groups = new Map<string, Downloaded[]>()
  const withoutGroup: Downloaded[] = []
  for (const record of records) {
    const values = by.map((text) => {
      const [, bucket, name = text, on] = /^(\w+)\(([^,]*)(?:,(.*))?\)$/.exec(text) ?? []
      const found = [...new Set(valuesOf(record, name))]
      const days = on ? valuesOf(record, on).map((date) => dayOf(String(date))) : [today]
      return bucket
        ? [
            ...new Set(
              days.flatMap((day) => found.flatMap((value) => bucketOf(bucket, String(value), day))),
            ),
          ]
        : found
    })
    const [firsts = [], seconds] = values
    const keys = seconds
      ? firsts.flatMap((first) => seconds.map((second) => [first, second]))
      : firsts.map((first) => [first])
    if (keys.length === 0) withoutGroup.push(record)
    for (const key of keys) {
      const text = JSON.stringify(key)
      groups.set(text, [...(groups.get(text) ?? []), record])
    }
  }
  return { groups, withoutGroup }
}
