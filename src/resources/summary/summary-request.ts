import type { Predicate } from '../../model/query/predicate.ts'
import type {
  Having,
  NamedGroup,
  NamedMeasure,
  SummaryOrder,
} from '../../model/summary/parse-summary.ts'
import type { RecordSelection } from './year-before.ts'

/** The arguments of a summary. Every way to ask for one, such as `$summary`, parses to this. */
export type SummaryRequest = RecordSelection & {
  condition?: Predicate | undefined
  /** The selection in words, as the caller wrote it. */
  words: readonly string[]
  by: readonly NamedGroup[]
  measures: readonly NamedMeasure[]
  /** Whether the records without a value are groups too, with null. */
  groupsMissing?: boolean
  having?: Having | undefined
  order: readonly SummaryOrder[]
  limit: number
  bands: readonly number[]
  isCompared: boolean
  hideBelow: number | undefined
}
