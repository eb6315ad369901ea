import { formatShortDay } from '../../model/dates.ts'
import { valueAt } from '../../model/json.ts'
import type { ShownValues } from './collection-pages.ts'

/** The day of a date or a time in words; '' for none. */
export const dayOf = (value: unknown): string => formatShortDay(String(value ?? '').slice(0, 10))

/** A function that reads a text of a record. */
export const textAt = (path: string) => (values: ShownValues) =>
  String(valueAt(values, path.split('.')) ?? '')
