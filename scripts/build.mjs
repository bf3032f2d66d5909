#!/usr/bin/env node
/**
 * Builds what runs, dist/: each process as one file, which starts in half the time of a hundred, and the page. On the way
 * the compiler makes build/ of every folder of src/. Does only what is out of date.
 */
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { rolldown } from 'rolldown'
import { bundledFile, keepBundled, writeNotices } from './licenses.mjs'
import { exists, ROOT, say, step } from './steps.mjs'

/** What the page is made of; a change in any of these builds it anew. */
const PAGE_SOURCES = ['src/web', 'src/client', 'src/wire', 'src/screen', 'src/workspace', 'src/base', 'package-lock.json']

/** One per process or thread. They find each other by where they lie, in dist/ as in build/. */
const PROCESSES = [
  'cli/main',
  'daemon/main',
  'daemon/screens/screenWorker',
  'daemon/health/watchdogWorker',
  'daemon/imports/fileWorker',
  'store/thread/storeWorker',
  'store/search/searchWorker',
  'holder/main',
]
/** Those with much code, which start from compiled code. */
const COMPILED = new Set([
  'cli/main',
  'daemon/main',
  'daemon/screens/screenWorker',
  'daemon/health/watchdogWorker',
  'store/thread/storeWorker',
])
/** Native code stays where it was installed. */
const NATIVE = ['node-pty', '@photostructure/sqlite', /^@napi-rs\/blake-hash/]
/** Whoever uses nothing of the emulator must not load it: the daemon's own thread leaves screens to others. */
const TREESHAKE = { moduleSideEffects: [{ test: /@xterm\/headless|\/build\/screen\//, sideEffects: false }] }

removeOrphans()
step('compile', 'tsc', '-b')
await bundleProcesses()
if (!exists('src/web/index.html')) say('page: skipped, there is no src/web/index.html')
else if (isPageFresh()) say('page: up to date')
else step('page', 'vite', 'build', 'src/web', '--outDir', '../../dist/web', '--emptyOutDir', '--logLevel', 'warn')
say(`notices: ok, ${writeNotices()} packages of others`)

async function bundleProcesses() {
  const began = performance.now()
  const newest = Math.max(
    ...listFiles('build')
      .filter((file) => file.endsWith('.js'))
      .map(modified),
    ...['package-lock.json', 'scripts/entry.cjs', 'scripts/build.mjs'].map(modified),
  )
  const stale = PROCESSES.filter((name) => [...filesOf(name), bundledFile(name)].some((file) => !exists(file) || modified(file) < newest))
  for (const name of stale) {
    const input = join(ROOT, `build/${name}.js`)
    const bundle = await rolldown({ input, platform: 'node', external: NATIVE, treeshake: TREESHAKE, logLevel: 'warn' })
    // What is compiled beforehand knows no `import()`.
    const file = join(ROOT, filesOf(name)[0])
    const { output } = await bundle.write({ file, format: 'cjs', codeSplitting: false, dynamicImportInCjs: false })
    await bundle.close()
    keepBundled(name, new Set(output.flatMap(({ moduleIds = [] }) => moduleIds)))
    if (COMPILED.has(name)) compile(name)
  }
  // Node gets CommonJS going sooner than modules: by 9 ms of the 60 that `attach` takes to its first paint.
  writeFileSync(join(ROOT, 'dist/package.json'), '{ "type": "commonjs" }\n')
  say(stale.length === 0 ? 'processes: up to date' : `processes: ok, ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

/** The bundle first. */
function filesOf(name) {
  if (!COMPILED.has(name)) return [`dist/${name}.js`]
  return [`dist/${name}.bundle.js`, `dist/${name}.js`, `dist/${name}.${process.version}-${process.arch}.cache`]
}

/** Every function, also those that a start does not need: they are told apart only by running it. */
function compile(name) {
  // Those of other Nodes were made of an earlier bundle.
  for (const file of listFiles('dist').filter((file) => file.startsWith(`dist/${name}.`) && file.endsWith('.cache')))
    rmSync(join(ROOT, file))
  const [bundle, entry, cache] = filesOf(name).map((file) => join(ROOT, file))
  const text = asAscii(readFileSync(bundle, 'utf8'))
  writeFileSync(bundle, text)
  copyFileSync(join(ROOT, 'scripts/entry.cjs'), entry)
  setFlagsFromString('--no-lazy')
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${text}\n})`
  const script = new Script(wrapped, { filename: filesOf(name)[0] }) // what stack traces say, wherever it is installed
  setFlagsFromString('--lazy')
  writeFileSync(cache, script.createCachedData())
}

/** V8 keeps such a text in half the space, and Node reads it without decoding it. */
function asAscii(text) {
  const escaped = text.match(/\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/)
  if (escaped !== null) throw new Error(`this cannot be written in ASCII: ${escaped[0]}`)
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The compiler leaves the output of a deleted source in place, where an import would still find it. */
function removeOrphans() {
  for (const folder of listFolder('src').filter((entry) => entry.isDirectory() && entry.name !== 'web')) {
    for (const file of listFiles(`build/${folder.name}`)) {
      const stem = file.match(/^build\/(.*?)(\.d\.ts|\.js)$/)?.[1]
      if (stem === undefined || exists(`src/${stem}.ts`) || exists(`src/${stem}.tsx`)) continue
      say(`remove ${file}: its source is gone`)
      rmSync(join(ROOT, file))
    }
  }
  for (const folder of new Set(PROCESSES.map((name) => name.split('/')[0]))) {
    for (const file of listFiles(`dist/${folder}`)) {
      if (PROCESSES.some((name) => file.startsWith(`dist/${name}.`))) continue
      say(`remove ${file}: no process of this name`)
      rmSync(join(ROOT, file))
    }
  }
}

function isPageFresh() {
  if (!exists('dist/web/index.html') || !exists(bundledFile('web'))) return false
  const built = modified('dist/web/index.html')
  return PAGE_SOURCES.flatMap((path) => (path.startsWith('src/') ? listFiles(path) : [path])).every((file) => modified(file) <= built)
}

function modified(file) {
  return statSync(join(ROOT, file)).mtimeMs
}

function listFolder(folder, options = {}) {
  return exists(folder) ? readdirSync(join(ROOT, folder), { withFileTypes: true, ...options }) : []
}

function listFiles(folder) {
  return listFolder(folder, { recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
}
