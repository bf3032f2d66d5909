/** Cycles of a directed graph, which is a map from each name to the set of names that it points to. */

/** Every set of two or more names that all reach each other (Tarjan's algorithm): sorted, the largest first. */
export function cyclesIn(graph) {
  const order = new Map()
  const lowest = new Map()
  const open = []
  const found = []
  const visit = (name) => {
    order.set(name, order.size)
    lowest.set(name, order.get(name))
    open.push(name)
    for (const next of graph.get(name)) {
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest.set(name, Math.min(lowest.get(name), lowest.get(next)))
    }
    if (lowest.get(name) !== order.get(name)) return
    const members = open.splice(open.indexOf(name))
    if (members.length > 1) found.push(members.sort())
  }
  for (const name of graph.keys()) if (!order.has(name)) visit(name)
  return found.sort((a, b) => b.length - a.length || (a[0] < b[0] ? -1 : 1))
}

/** The shortest way from a name back to itself; empty where there is none. */
export function loopThrough(start, graph) {
  const ways = [[start]]
  const seen = new Set()
  for (const way of ways) {
    for (const next of graph.get(way.at(-1)) ?? []) {
      if (next === start) return [...way, start]
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return []
}
