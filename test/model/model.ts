/** A record of the model. */
export type ModelRecord = { id: string; document: Record<string, unknown> }

/** A filter of a request: the parameter and its text. */
export type Filter = readonly [name: string, text: string]

/** The type of a filter's value: a named filter has its own, any other takes every type the text can mean. */
export type FilterType = 'text' | 'boolean' | 'spelled'

/** The records of one collection according to the contract: in order of arrival, each id once. */
export class Model {
  records: ModelRecord[] = []

  put(newRecords: readonly ModelRecord[]) {
    for (const record of newRecords) {
      if (!this.change(record)) this.records.push(record)
    }
  }

  change({ id, document }: ModelRecord): boolean {
    const known = this.records.find((record) => record.id === id)
    if (known) this.records = this.records.map((it) => (it === known ? { id, document } : it))
    return known !== undefined
  }

  remove(id: string) {
    this.records = this.records.filter((record) => record.id !== id)
  }

  /** The records that pass every filter. */
  found(
    requestedFilters: readonly Filter[],
    reading: (name: string) => FilterType,
    whole: boolean,
  ): ModelRecord[] {
    return this.records.filter(({ document }) =>
      requestedFilters.every(([name, text]) => {
        const wellFormed = text.toWellFormed()
        return valuesAt(document, name, whole).some((value) =>
          matches(value, wellFormed, reading(name)),
        )
      }),
    )
  }
}

/** The scalars a path finds: in the fields of objects, or with `whole` in the one field of that name. */
function valuesAt(document: Record<string, unknown>, path: string, whole: boolean): unknown[] {
  let value: unknown = document
  for (const step of whole ? [path] : path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    value = Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined
  }
  return Array.isArray(value) ? value : [value]
}

function matches(value: unknown, text: string, reading: FilterType): boolean {
  if (typeof value === 'string') return reading !== 'boolean' && value === text
  if (typeof value === 'boolean') return reading !== 'text' && String(value) === text.toLowerCase()
  if (typeof value !== 'number' || reading !== 'spelled') return false
  if (!/^-?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text)) return false
  const isBeyond = /^-?\d+$/.test(text)
    ? BigInt(text.replace('-', '')) > 2n ** 53n
    : Math.abs(Number(text)) >= 2 ** 53
  return !isBeyond && Number(text) === value
}
