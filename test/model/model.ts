/** A record as the model keeps it. */
export type Kept = { id: string; document: Record<string, unknown> }

/** A filter of a request: the parameter and its text. */
export type Asked = readonly [name: string, text: string]

/** How a filter reads its text: a named one as its type, any other as whatever it spells. */
export type Reading = 'text' | 'boolean' | 'spelled'

/** The records of one collection as the contract says they are kept: in order of arrival, each id once. */
export class Model {
  records: Kept[] = []

  put(given: readonly Kept[]) {
    for (const record of given) {
      if (!this.change(record)) this.records.push(record)
    }
  }

  change({ id, document }: Kept): boolean {
    const known = this.records.find((record) => record.id === id)
    if (known) this.records = this.records.map((it) => (it === known ? { id, document } : it))
    return known !== undefined
  }

  remove(id: string) {
    this.records = this.records.filter((record) => record.id !== id)
  }

  /** The records that pass every filter (decisions 3). */
  found(asked: readonly Asked[], reading: (name: string) => Reading, whole: boolean): Kept[] {
    return this.records.filter(({ document }) =>
      asked.every(([name, text]) => {
        const sought = text.toWellFormed()
        return valuesAt(document, name, whole).some((value) =>
          matches(value, sought, reading(name)),
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

function matches(value: unknown, text: string, reading: Reading): boolean {
  if (typeof value === 'string') return reading !== 'boolean' && value === text
  if (typeof value === 'boolean') return reading !== 'text' && String(value) === text.toLowerCase()
  if (typeof value !== 'number' || reading !== 'spelled') return false
  if (!/^-?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text)) return false
  const isBeyond = /^-?\d+$/.test(text)
    ? BigInt(text.replace('-', '')) > 2n ** 53n
    : Math.abs(Number(text)) >= 2 ** 53
  return !isBeyond && Number(text) === value
}
