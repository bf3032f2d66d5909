#!/usr/bin/env node
/** Builds dist/: every folder of src/ through the compiler, then the page. Does only what is out of date. */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { exists, ROOT, say, step } from './steps.mjs'

/** What the page is made of; a change in any of these builds it anew. */
const PAGE_SOURCES = ['src/web', 'src/client', 'src/wire', 'src/screen', 'src/workspace', 'src/base', 'package-lock.json']

removeOrphans()
step('compile', 'tsc', '-b')
if (!exists('src/web/index.html')) say('page: skipped, there is no src/web/index.html')
else if (isPageFresh()) say('page: up to date')
else step('page', 'vite', 'build', 'src/web', '--outDir', '../../dist/web', '--emptyOutDir', '--logLevel', 'warn')

/** The compiler leaves the output of a deleted source in place, where an import would still find it. */
function removeOrphans() {
  for (const folder of listFolder('src').filter((entry) => entry.isDirectory() && entry.name !== 'web')) {
    for (const file of listFiles(`dist/${folder.name}`)) {
      const stem = file.match(/^dist\/(.*?)(\.d\.ts|\.js)$/)?.[1]
      if (stem === undefined || exists(`src/${stem}.ts`) || exists(`src/${stem}.tsx`)) continue
      say(`remove ${file}: its source is gone`)
      rmSync(join(ROOT, file))
    }
  }
}

function isPageFresh() {
  if (!exists('dist/web/index.html')) return false
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
