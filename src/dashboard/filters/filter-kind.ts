import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { FilterExpression } from '../../model/query/filter-expression.ts'
import type { DashboardEnv } from '../session/signed-in.ts'
import type { Ends } from '../ui/value-kinds.ts'
import type { FilterProperty, ListFilter } from './filter.ts'
import type { ValueSource } from './value-source.ts'

/** A kind of condition: how an address and a person say it, its control in the panel, and the records that it finds. */
export type FilterKind = RangeKind | ConditionKind

/** Finds the records between two days or numbers. */
export type RangeKind = SharedDefinition & {
  /** The ends of the range. `today` is a day in UK time, for periods and ages. */
  range(filter: ListFilter, today: string): Ends
}

/** Finds the records that pass a condition of `$filter`. */
type ConditionKind = SharedDefinition & {
  condition(filter: ListFilter): FilterExpression
}

type SharedDefinition = {
  /** The ends of its parameters' names: `from` for `p~from` of a property `p`. */
  parameters: readonly ConditionParameter[]
  /** Reads the text of a parameter: returns what it changes in the filter, or an error message. */
  read(
    text: string,
    filter: ListFilter,
    parameter: ConditionParameter,
  ): Partial<ListFilter> | string
  /** What the words call the property; by default its label. */
  label?: string
  /** The condition in words, which follow the label: " from 18", ": Armley". */
  words(filter: ListFilter): string
  Control(props: ControlProps): Child
}

/** A parameter of a condition; `is` names a typed value. */
export type ConditionParameter =
  | Exclude<keyof ListFilter, 'property' | 'values' | 'titles' | 'people'>
  | 'is'

export type ControlProps = {
  c: Context<DashboardEnv>
  filter: ListFilter
  /** The values that the panel offers. */
  source: ValueSource
}

/** A reader for parameters with one value, from a parser and the name of its values. */
export const readOne =
  (
    parse: (text: string, property: FilterProperty) => string | undefined,
    describe: (property: FilterProperty) => string,
  ): FilterKind['read'] =>
  (text, { property }, parameter) => {
    const value = parse(text, property)
    return value === undefined ? `“${text}” is not ${describe(property)}.` : { [parameter]: value }
  }
