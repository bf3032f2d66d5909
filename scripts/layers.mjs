#!/usr/bin/env node
/**
 * Keeps the arrows between the folders of src/ pointing down. The compiler keeps most of them through project
 * references; this check also names the arrow, and keeps what the compiler cannot: which libraries a folder
 * may see, that each is imported in one file, and what may reach the holder and the page at run time.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { readSources } from './imports.mjs'

const PAGE_LIBRARIES = [
  'react',
  'react-dom',
  '@xterm/*',
  'react-resizable-panels',
  '@xyflow/react',
  'cmdk',
  '@radix-ui/react-dropdown-menu',
]

/** `libraries` may end in `*`. `node:sqlite` is experimental and must be named: `node:*` does not cover it. */
export const LAYERS = {
  base: { folders: [], libraries: [] },
  agents: { folders: ['base'], libraries: [] },
  workspace: { folders: ['base', 'agents'], libraries: [] },
  screen: { folders: ['base'], libraries: ['@xterm/headless'] },
  wire: { folders: ['base', 'agents', 'workspace', 'screen'], libraries: ['zod', 'smol-toml'] },
  store: {
    folders: ['base', 'agents', 'workspace', 'wire'],
    libraries: ['node:*', 'node:sqlite', '@photostructure/sqlite', '@napi-rs/blake-hash', 'zod'],
  },
  tmux: {
    folders: ['base', 'wire'],
    libraries: ['node:*'],
    files: { wire: /^holder\.ts$/ },
  },
  holder: {
    folders: ['base', 'wire', 'tmux'],
    libraries: ['node:*', 'node-pty'],
    // The holder outlives upgrades, so nothing that changes often may reach it: no schemas, emulator, store or agents.
    files: { wire: /^(holder|log|frames|paths)[^/]*\.ts$/ },
    reaches: { folders: ['base', 'wire', 'tmux', 'holder'], libraries: ['node:*', 'node-pty'] },
  },
  client: { folders: ['base', 'agents', 'workspace', 'wire'], libraries: ['node:*'] },
  cli: { folders: ['base', 'agents', 'workspace', 'screen', 'wire', 'client', 'tmux'], libraries: ['node:*', 'commander'] },
  daemon: {
    folders: ['base', 'agents', 'workspace', 'screen', 'wire', 'store', 'holder', 'client', 'tmux'],
    libraries: ['node:*', 'ws', 'pino'],
  },
  web: {
    folders: ['base', 'agents', 'workspace', 'screen', 'wire', 'client'],
    libraries: PAGE_LIBRARIES,
    // A browser has no node:*, although client/ has files for both sides.
    reaches: {
      folders: ['base', 'agents', 'workspace', 'screen', 'wire', 'client', 'web'],
      libraries: [...PAGE_LIBRARIES, 'zod', 'smol-toml'],
    },
  },
}

/** Libraries that are a language of their own, so that wrapping them in one file would help nobody. */
const MANY_FILES = ['react', 'zod']
const TEST_LIBRARIES = ['node:*', 'node:sqlite', 'vitest', 'fast-check']
const TEST_FOLDERS = /^test\/(support|fixtures)\//

/** @returns {string[]} one line per offence, empty when every arrow points down */
export function findOffences(root) {
  const files = readSources(root).map(withFolders)
  const product = files.filter((file) => !file.test)
  return [
    ...files.flatMap((file) => file.imports.flatMap((found) => judgeImport(file, found))),
    ...judgeReach(product),
    ...judgeSharedLibraries(product),
    ...judgeReferences(root),
  ]
}

function withFolders(file) {
  const imports = file.imports.map((found) => (found.target === undefined ? found : { ...found, targetFolder: folderOf(found.target) }))
  return { ...file, folder: folderOf(file.name), imports }
}

function folderOf(name) {
  const [top, folder, ...rest] = name.split('/')
  return top === 'src' && rest.length > 0 ? folder : null
}

function allows(libraries, library) {
  return libraries.some((pattern) => {
    if (library === 'node:sqlite' || !pattern.endsWith('*')) return pattern === library
    return library.startsWith(pattern.slice(0, -1))
  })
}

function judgeImport(file, found) {
  const layer = LAYERS[file.folder]
  const at = `${file.name}:${found.line}  ${file.folder ?? 'src'} → `
  if (layer === undefined)
    return [`${at}${found.specifier}   (src/${file.folder ?? ''} is not a layer: give it a row in scripts/layers.mjs)`]
  if (found.library !== undefined) return judgeLibrary(file, found.library, layer, at)
  if (found.targetFolder === file.folder) return []
  if (file.test && TEST_FOLDERS.test(found.target)) return []
  const may = `(${file.folder} may import: ${layer.folders.join(', ') || 'nothing'})`
  if (!layer.folders.includes(found.targetFolder)) return [`${at}${found.targetFolder ?? found.target}   ${may}`]
  const pattern = layer.files?.[found.targetFolder]
  const inner = found.target.slice(`src/${found.targetFolder}/`.length)
  if (pattern === undefined || file.test || pattern.test(inner)) return []
  return [`${at}${found.targetFolder}/${inner}   (${file.folder} may import from ${found.targetFolder} only: ${pattern.source})`]
}

function judgeLibrary(file, library, layer, at) {
  if (allows(layer.libraries, library) || (file.test && allows(TEST_LIBRARIES, library))) return []
  return [`${at}${library}   (${file.folder} may use: ${layer.libraries.join(', ') || 'no library'})`]
}

/** Follows what is left at run time, so that a permitted file cannot bring in a forbidden one. */
function judgeReach(files) {
  const byName = new Map(files.map((file) => [file.name, file]))
  return Object.entries(LAYERS).flatMap(([folder, { reaches }]) => {
    if (reaches === undefined) return []
    const starts = files.filter((file) => file.folder === folder).map((file) => ({ file, path: [file.name] }))
    return walk(starts, byName).flatMap(({ file, path }) =>
      file.imports
        .filter((found) => !found.typeOnly && file.folder !== folder && !isReachable(reaches, found))
        .map((found) => {
          const what = found.library ?? found.target
          return `${file.name}:${found.line}  ${folder} → ${what}   (reached through ${path.join(' → ')})`
        }),
    )
  })
}

function isReachable(reaches, found) {
  if (found.library !== undefined) return allows(reaches.libraries, found.library)
  return reaches.folders.includes(found.targetFolder)
}

function walk(starts, byName) {
  const seen = new Set(starts.map(({ file }) => file.name))
  const queue = [...starts]
  for (const { file, path } of queue) {
    for (const found of file.imports) {
      const next = found.typeOnly ? undefined : byName.get(found.target)
      if (next === undefined || seen.has(next.name)) continue
      seen.add(next.name)
      queue.push({ file: next, path: [...path, next.name] })
    }
  }
  return queue
}

function judgeSharedLibraries(files) {
  const users = new Map()
  for (const file of files) {
    for (const { library, line } of file.imports) {
      if (library === undefined || library.startsWith('node:') || MANY_FILES.includes(library)) continue
      users.set(library, (users.get(library) ?? new Map()).set(file.name, `${file.name}:${line}`))
    }
  }
  return [...users].flatMap(([library, places]) => {
    const [first, ...others] = places.values()
    return others.map((place) => `${place}  ${folderOf(place)} → ${library}   (a library is imported in one file; this one in ${first})`)
  })
}

function judgeReferences(root) {
  return Object.entries(LAYERS).flatMap(([folder, { folders }]) => {
    const path = join(root, 'src', folder, 'tsconfig.json')
    if (!existsSync(path)) return []
    const named = readReferences(path)
    if (named === null) return [`src/${folder}/tsconfig.json  is not plain JSON   (this check reads its references)`]
    if (named.join() === [...folders].sort().join()) return []
    return [
      `src/${folder}/tsconfig.json  references ${named.join(', ') || 'nothing'}   (${folder} may import: ${folders.join(', ') || 'nothing'})`,
    ]
  })
}

function readReferences(path) {
  try {
    const { references = [] } = JSON.parse(readFileSync(path, 'utf8'))
    return references.map((reference) => relative('..', reference.path)).sort()
  } catch {
    return null
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const offences = findOffences(resolve(argv[2] ?? join(dirname(argv[1]), '..')))
  for (const offence of offences) console.error(offence)
  console.log(offences.length === 0 ? 'layers: every import points down' : `layers: ${offences.length} imports point the wrong way`)
  process.exitCode = offences.length === 0 ? 0 : 1
}
