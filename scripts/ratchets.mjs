#!/usr/bin/env node
/**
 * Keeps src/ from growing worse: no import cycle, between files or between folders, with type imports counted; no file of more than
 * 400 lines; no folder with more than 30 files in it. Tests do not count. What was there already is in scripts/ratchets.json, which
 * only shrinks: an entry that is no longer true fails, too. `--write` removes such entries and refuses to add any, except for what was
 * moved: a file takes the place of a name that no longer exists, and imports that were there already may cross other folders than before.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cyclesIn, loopThrough } from './cycles.mjs'
import { readSheets, readSources } from './imports.mjs'
import { ROOT, step } from './steps.mjs'

const LIST = 'scripts/ratchets.json'
const MOST_LINES = 400
const MOST_FILES = 30
const ARROW = ' → '
const JOINED = ' (joined)'

/**
 * What is over the limits: `cycles` are lists of files, `arrows` the imports between folders that are part of a cycle, `lines` the
 * long files, `files` the full folders.
 */
export function measure(root) {
  const modules = readSources(root).filter(({ test }) => !test)
  const all = [...modules, ...readSheets(root)]
  const perFolder = new Map()
  for (const { name } of all) perFolder.set(dirname(name), (perFolder.get(dirname(name)) ?? 0) + 1)
  const graph = fileGraph(modules)
  const { arrows, crossing } = folderArrows(graph)
  const found = {
    cycles: cyclesIn(graph),
    arrows,
    lines: over(
      all.map(({ name, lines }) => [name, lines]),
      MOST_LINES,
    ),
    files: over(perFolder, MOST_FILES),
  }
  return { root, found, graph, crossing, standing: new Set([...all.map(({ name }) => name), ...perFolder.keys()]) }
}

const over = (sizes, most) => Object.fromEntries([...sizes].filter(([, size]) => size > most).sort(([a], [b]) => (a < b ? -1 : 1)))

function fileGraph(modules) {
  const names = new Set(modules.map(({ name }) => name))
  return new Map(modules.map(({ name, imports }) => [name, new Set(imports.map(({ target }) => target).filter((to) => names.has(to)))]))
}

/** `crossing` has, for each arrow, the imports that make it. */
function folderArrows(graph) {
  const folders = new Map([...graph.keys()].map((name) => [dirname(name), new Set()]))
  const crossing = new Map()
  for (const [from, targets] of graph) {
    for (const to of targets) {
      if (dirname(from) === dirname(to)) continue
      folders.get(dirname(from)).add(dirname(to))
      const arrow = dirname(from) + ARROW + dirname(to)
      crossing.set(arrow, [...(crossing.get(arrow) ?? []), from + ARROW + to])
    }
  }
  const arrows = cyclesIn(folders).flatMap((cycle) =>
    cycle.flatMap((from) => [...folders.get(from)].filter((to) => cycle.includes(to)).map((to) => from + ARROW + to)),
  )
  return { arrows: arrows.sort(), crossing }
}

/** Compares what is listed with what is there. `grown` may not be; `moved` was listed otherwise; `shrunk` is no longer true. */
export function judge(listed, { root, found, graph, crossing, standing }) {
  let before = null
  const isMoved = (arrow) => {
    before ??= importsOfList(root)
    return crossing.get(arrow).every((one) => before.has(one))
  }
  const isGone = (name) => !name.split(ARROW).every((end) => standing.has(end))
  const results = [
    compare(ones(listed.cycles.flat()), ones(found.cycles.flatMap((cycle) => inHome(cycle, listed.cycles))), isGone, {
      grown: (name) => `${bare(name)}  is in an import cycle: ${loopThrough(bare(name), graph).join(ARROW)}`,
      shrunk: (name) => `${name}  is listed, and is in no import cycle`,
    }),
    compare(ones(listed.arrows), ones(found.arrows), isGone, {
      grown: (name) => `${name}  closes a cycle of folders: ${crossing.get(name)[0].replace(ARROW, ' imports ')}`,
      shrunk: (name) => `${name}  is listed, and is in no cycle of folders`,
      isMoved,
    }),
    compare(sizes(listed.lines), sizes(found.lines), isGone, sizeWords('lines', MOST_LINES)),
    compare(sizes(listed.files), sizes(found.files), isGone, sizeWords('files', MOST_FILES)),
  ]
  const all = (kind) => results.flatMap((result) => result[kind])
  return { grown: all('grown'), moved: all('moved'), shrunk: all('shrunk') }
}

const bare = (name) => name.replace(JOINED, '')
const ones = (names) => new Map(names.map((name) => [name, 1]))
const sizes = (entries) => new Map(Object.entries(entries))

/** Members that the listed cycle does not have get another name: two cycles that were joined are new, although every file is listed. */
function inHome(cycle, listed) {
  const shared = (other) => other.filter((name) => cycle.includes(name)).length
  const home = listed.reduce((best, other) => (shared(other) > shared(best) ? other : best), [])
  return cycle.map((name) => (home.includes(name) ? name : name + JOINED))
}

function compare(listed, found, isGone, words) {
  const descending = ([, a], [, b]) => b - a
  const larger = [...found].filter(([name, size]) => size > (listed.get(name) ?? 0)).sort(descending)
  const places = [...listed].filter(([name]) => isGone(name)).sort(descending)
  const [grown, moved] = [[], []]
  for (const [name, size] of larger) {
    const takesPlace = !listed.has(name) && places.length > 0 && places[0][1] >= size
    if (takesPlace) places.shift()
    ;(takesPlace || words.isMoved?.(name) ? moved : grown).push(words.grown(name, size, listed.get(name)))
  }
  const shrunk = [...listed].filter(([name, size]) => (found.get(name) ?? 0) < size)
  return { grown, moved, shrunk: shrunk.map(([name, size]) => words.shrunk(name, found.get(name), size)) }
}

/** Every import of the commit that wrote the list, between the names that its files have now. */
function importsOfList(root) {
  const folder = mkdtempSync(join(tmpdir(), 'ratchets-'))
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const commit = git('log', '-1', '--format=%H', '--', LIST)
    git('archive', '--output', join(folder, 'src.tar'), commit, 'src')
    execFileSync('tar', ['-xf', join(folder, 'src.tar'), '-C', folder])
    const renamed = git('diff', '--find-renames=30%', '-l0', '--diff-filter=R', '--name-status', commit, '--', 'src')
    const names = new Map(renamed.split('\n').map((line) => line.split('\t').slice(1)))
    const now = (name) => names.get(name) ?? name
    return new Set([...measure(folder).graph].flatMap(([from, targets]) => [...targets].map((to) => now(from) + ARROW + now(to))))
  } catch {
    return new Set() // no repository, or no commit that has the list: nothing is known to have moved
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const sizeWords = (unit, most) => ({
  grown: (name, size, before) =>
    `${name}  has ${size} ${unit}; ${before === undefined ? 'the limit' : 'the list'} allows ${before ?? most}`,
  shrunk: (name, size, before) => `${name}  is listed with ${before} ${unit}, and has ${size ?? `no more than ${most}`}`,
})

const readList = (root) => (existsSync(join(root, LIST)) ? JSON.parse(readFileSync(join(root, LIST), 'utf8')) : null)

function check(root) {
  const listed = readList(root)
  if (listed === null) return [`${LIST}  does not exist`]
  const { grown, moved, shrunk } = judge(listed, measure(root))
  return [...[...moved, ...shrunk].map((line) => `${line}   (run: npm run ratchets)`), ...grown]
}

/** Where there is no list, the one that is written has everything. */
function write(root) {
  const now = measure(root)
  const listed = readList(root)
  const { grown } = listed === null ? { grown: [] } : judge(listed, now)
  if (grown.length > 0) return grown
  writeFileSync(join(root, LIST), `${JSON.stringify(now.found, null, 2)}\n`)
  step('format', 'biome', 'format', '--write', join(root, LIST))
  return []
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true })
  const faults = (values.write ? write : check)(resolve(positionals[0] ?? ROOT))
  for (const fault of faults) console.error(fault)
  console.log(
    faults.length === 0 ? 'ratchets: nothing grew' : `ratchets: ${faults.length} faults; CONTRIBUTING.md says what to do: "Ratchets"`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}
