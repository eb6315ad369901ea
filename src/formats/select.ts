import { isObject } from '../model/json.ts'
import { unknownName } from '../model/query/resolve.ts'
import type { ListPage } from './list-page.ts'

/** The selected properties of an object by name: whole or in part. */
type Selection = Map<string, Selection | 'whole'>

/** Throws 400 for a selected name that is not among the visible ones. */
export function requireSelectable(select: readonly string[], names: ReadonlySet<string>): void {
  const unknown = select.find((name) => !names.has(name))
  if (unknown !== undefined) throw unknownName('$select', unknown, names)
}

/** A page of structured records with the selected properties, the id and the additions of each. */
export function selectProperties(
  page: ListPage,
  select: readonly string[],
  idName: string,
): ListPage {
  const selection: Selection = new Map()
  for (const name of [idName, ...select]) addPath(selection, name.split('.'))
  const pickTexts = (texts: readonly string[]) =>
    texts.map((text) => JSON.stringify(pick(JSON.parse(text), selection)))
  return {
    ...page,
    items: () => pickTexts(page.items()),
    documents: () => pickTexts(page.documents()),
    columns: () => page.columns().filter(({ path }) => isSelected(path, selection)),
  }
}

function addPath(selection: Selection, [name = '', ...rest]: readonly string[]): void {
  const known = selection.get(name)
  if (known === 'whole') return
  if (rest.length === 0) {
    selection.set(name, 'whole')
    return
  }
  const inner: Selection = known ?? new Map()
  selection.set(name, inner)
  addPath(inner, rest)
}

function pick(record: unknown, selection: Selection): unknown {
  if (!isObject(record)) return record
  const properties = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const inner = isAddition(name) ? 'whole' : selection.get(name)
    if (inner === undefined) return []
    return [[name, inner === 'whole' ? value : pick(value, inner)]]
  })
  return Object.fromEntries(properties)
}

function isSelected([name = '', ...rest]: readonly string[], selection: Selection): boolean {
  const inner = isAddition(name) ? 'whole' : selection.get(name)
  return inner === 'whole' || (inner !== undefined && isSelected(rest, inner))
}

const isAddition = (name: string) => name.startsWith('$')
