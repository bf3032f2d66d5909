#!/usr/bin/env node
/**
 * Under which licences the code of others reaches users: what is installed with the package, by the lock file, and what is
 * bundled into dist/, by the lists that the bundlers leave in build/bundled/. `node scripts/licenses.mjs` checks and sums up,
 * `--list` names each package.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { ROOT, say } from './steps.mjs'

/** Licences that ask for nothing but their own text. */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense'],
  ...['Python-2.0', 'Zlib'],
])
const BUNDLED = 'build/bundled'
const NOTICES = ['dist/THIRD-PARTY-NOTICES.txt', 'dist/web/THIRD-PARTY-NOTICES.txt'] // the second one is shown in the page
const TEXT_FILE = /^(licen[cs]e|copying|notice)/i

/** Whether one of the alternatives of an SPDX expression, and every part of it, is allowed. */
export function isAllowed(expression) {
  const words = expression.replace(/[()]/g, ' $& ').split(/\s+/).filter(Boolean)
  const either = () => {
    let ok = both()
    while (words[0] === 'OR') ok = next(both) || ok
    return ok
  }
  const both = () => {
    let ok = one()
    while (words[0] === 'AND') ok = next(one) && ok
    return ok
  }
  const next = (read) => words.shift() !== undefined && read()
  const one = () => {
    const word = words.shift()
    if (word !== '(') return ALLOWED.has(word)
    const ok = either()
    return words.shift() === ')' && ok
  }
  const ok = either()
  return words.length === 0 && ok
}

/** What is wrong with the licence of a package, or null. */
export function faultOf({ name, version, license, texts }) {
  const called = `${name} ${version}`
  if (license === null) return `${called} names no licence`
  if (!isAllowed(license)) return `${called} is under ${license}, which is not on the list of allowed licences`
  return texts.length === 0 ? `${called} (${license}) has no licence text` : null
}

/** The folder of the package that a module belongs to; null for a module of our own. The bundler's own helpers are code of others, too. */
export function packageOf(moduleId, root = ROOT) {
  const helper = moduleId.match(/^\0?(rolldown|vite|@oxc-project\/runtime)\//)?.[1]
  if (helper !== undefined) return join(root, 'node_modules', helper)
  const parts = moduleId.split('?')[0].split(sep)
  const at = parts.lastIndexOf('node_modules')
  if (at < 0) return null
  return parts.slice(0, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join(sep)
}

/** Left behind by whoever bundles, under the name of what was bundled. */
export function keepBundled(name, moduleIds) {
  const file = join(ROOT, bundledFile(name))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify([...moduleIds].sort()))
}

export const bundledFile = (name) => `${BUNDLED}/${name.replaceAll('/', '-')}.json`

function bundledPackages() {
  const folder = join(ROOT, BUNDLED)
  if (!existsSync(folder)) return null
  const ids = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  return [...new Set(ids.flatMap((id) => packageOf(id) ?? []))].map(readPackage)
}

/** What npm installs beside us. Builds for other systems are not here: they are named with the package that asks for them. */
function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const ours = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return ours.flatMap(([path, entry]) => {
    if (entry.optional === true) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return isAllowed(entry.license ?? '')
        ? []
        : [{ name, version: entry.version, license: entry.license ?? null, texts: [''], builds: [] }]
    }
    return [readPackage(join(ROOT, path))]
  })
}

function readPackage(folder) {
  const { name, version, license, author, optionalDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder)
    .filter((file) => TEXT_FILE.test(file))
    .sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
  const standard = texts.length === 0 && license === 'MIT' ? [mitText(name, author)] : texts
  const builds = Object.keys(optionalDependencies).filter((other) => other.startsWith(`${name}-`))
  return { name, version, license: typeof license === 'string' ? license : null, texts: standard, builds: builds.sort() }
}

/** For packages that say MIT and bring no text. */
function mitText(name, author) {
  const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`
  return `(The package holds no licence file; this is the text of the licence that it names.)

Copyright (c) ${holder.replace(/\s*<.*$/, '')}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
}

/** Sorted, each once: the same build makes the same list. `isBuilt` says whether the bundlers have left theirs. */
export function foreignPackages() {
  const bundled = bundledPackages()
  const all = [...installedPackages(), ...(bundled ?? [])]
  const byName = new Map(all.map((one) => [`${one.name} ${one.version}`, one]))
  const packages = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
  return { packages, isBuilt: bundled !== null }
}

export function noticesText(packages) {
  const line = '='.repeat(60)
  const blocks = packages.map(({ name, version, license, texts, builds }) => {
    const built = builds.length === 0 ? [] : [`Its builds are packages of their own: ${builds.join(', ')}`]
    return [line, `${name} ${version}`, `License: ${license}`, ...built, line, '', texts.join('\n\n'), ''].join('\n')
  })
  return [
    'Third-party notices',
    '',
    'Holdfast contains, or is installed with, the software named below. Each has its own license.',
    '',
    ...packages.map(({ name, version, license }) => `  ${name} ${version} (${license})`),
    '',
    ...blocks,
  ].join('\n')
}

/** Into the package and, where there is a page, into the page. Fails for a package that may not be there. */
export function writeNotices() {
  const { packages } = checked()
  const text = noticesText(packages)
  for (const file of NOTICES) {
    const path = join(ROOT, file)
    if (!existsSync(dirname(path)) || (existsSync(path) && readFileSync(path, 'utf8') === text)) continue
    writeFileSync(path, text)
  }
  return packages.length
}

function checked() {
  const found = foreignPackages()
  const faults = found.packages.flatMap((one) => faultOf(one) ?? [])
  if (faults.length === 0) return found
  for (const fault of faults) console.error(`licence: ${fault}`)
  console.error('Use another package, or add the licence to the list in scripts/licenses.mjs if its terms allow it.')
  return process.exit(1)
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { packages, isBuilt } = checked()
  if (argv.includes('--list')) for (const { name, version, license } of packages) console.log(`${name} ${version}  ${license}`)
  const counts = grouped(packages)
  const sums = [...counts].sort(([, a], [, b]) => b.length - a.length).map(([license, list]) => `${list.length} ${license}`)
  say(`${packages.length} packages of others: ${sums.join(', ')}${isBuilt ? '' : '; the bundled ones are not known before npm run build'}`)
}

function grouped(packages) {
  const groups = new Map()
  for (const one of packages) groups.set(one.license, [...(groups.get(one.license) ?? []), one])
  return groups
}
