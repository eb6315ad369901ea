import type { Figures } from '../../store/summary/measure-groups.ts'

/*
 * Each sum of a table can have several unknown figures, and still all sums together tell one of them. The sums of a
 * table with rows and columns are a graph: a figure is an edge between the sums that it is in, or from its only sum to
 * the outside. By the theory of flows in networks, the known figures tell an unknown one exactly if it is a bridge:
 * without it, the graph of the unknown figures would fall apart.
 */

/** Figures of groups that add up to a total, such as a row or a column of a table. */
export type Sum = { parts: readonly Figures[]; total: Figures }

type Edge = { figures: Figures; from: number; to: number }

/** The node of figures that are in one sum only. */
const outside = 0

/** The edges at each node. */
type Graph = readonly (readonly Edge[])[]

/**
 * Finds a hidden figure that the known ones tell, and returns the known ones that would protect it if they were hidden
 * too. Undefined if they tell none.
 */
export function findComputable(
  sums: readonly Sum[],
  hidden: ReadonlySet<Figures>,
  isUnknown: (figures: Figures) => boolean,
): readonly Figures[] | undefined {
  const edges = listEdges(sums)
  const count = sums.length + 1
  const unknown = edges.filter(({ figures }) => isUnknown(figures))
  const bridge = findBridges(count, unknown).find(({ figures }) => hidden.has(figures))
  if (!bridge) return undefined
  const others = unknown.filter((edge) => edge !== bridge)
  const { depths: side } = explore(connect(count, others), bridge.from)
  return edges
    .filter(({ figures, from, to }) => !isUnknown(figures) && side.has(from) !== side.has(to))
    .map(({ figures }) => figures)
}

/** The figures as edges. The number of a sum is its node; that of the outside is 0. */
function listEdges(sums: readonly Sum[]): Edge[] {
  const nodes = new Map<Figures, number[]>()
  for (const [index, { parts, total }] of sums.entries())
    for (const figures of [...parts, total])
      nodes.set(figures, [...(nodes.get(figures) ?? []), index + 1])
  return [...nodes].map(([figures, [from = outside, to = outside]]) => ({ figures, from, to }))
}

function connect(count: number, edges: readonly Edge[]): Graph {
  const graph: Edge[][] = Array.from({ length: count }, () => [])
  for (const edge of edges) {
    graph[edge.from]?.push(edge)
    graph[edge.to]?.push(edge)
  }
  return graph
}

/** The edges without which a part of the graph would not be connected. */
function findBridges(count: number, edges: readonly Edge[]): Edge[] {
  const graph = connect(count, edges)
  const depths = new Map<number, number>()
  const tree = new Map<number, Edge>()
  for (const node of graph.keys()) if (!depths.has(node)) explore(graph, node, { depths, tree })
  // A node in a circle is joined with the one before it in the tree.
  const joined = new Map<number, number>()
  const findTop = (node: number): number => {
    let top = node
    for (let next = joined.get(top); next !== undefined; next = joined.get(top)) {
      joined.set(top, joined.get(next) ?? next)
      top = next
    }
    return top
  }
  const depthOf = (node: number) => depths.get(node) ?? 0
  const inTree = new Set(tree.values())
  for (const edge of edges.filter((it) => !inTree.has(it))) {
    let [one, other] = [findTop(edge.from), findTop(edge.to)]
    while (one !== other) {
      if (depthOf(one) < depthOf(other)) [one, other] = [other, one]
      const before = tree.get(one)
      if (!before) throw new Error('An edge connects two trees.')
      joined.set(one, otherEnd(before, one))
      one = findTop(one)
    }
  }
  return [...tree].filter(([node]) => !joined.has(node)).map(([, edge]) => edge)
}

const otherEnd = ({ from, to }: Edge, node: number) => (from === node ? to : from)

/** Adds the nodes that are connected with one: their distances, and the edges by which they were reached. */
function explore(
  graph: Graph,
  start: number,
  { depths, tree } = { depths: new Map<number, number>(), tree: new Map<number, Edge>() },
) {
  depths.set(start, 0)
  const reached = [start]
  // The loop also visits the nodes that it adds.
  for (const node of reached)
    for (const edge of graph[node] ?? []) {
      const next = otherEnd(edge, node)
      if (depths.has(next)) continue
      depths.set(next, 1 + (depths.get(node) ?? 0))
      tree.set(next, edge)
      reached.push(next)
    }
  return { depths, tree }
}
