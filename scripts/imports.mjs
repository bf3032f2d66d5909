/** Reads which module of src/ imports which, for the checks of layers, cycles and sizes. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

const SOURCE = /\.tsx?$/
const TEST = /\.test\.tsx?$/
const TOOLING = /\.config\.ts$/

/** Every module of src/, in the order of their names; names are relative to `root` and have forward slashes. */
export function readSources(root) {
  return listFiles(join(root, 'src'), (name) => SOURCE.test(name) && !TOOLING.test(name)).map((path) => {
    const text = readFileSync(path, 'utf8')
    const name = nameOf(root, path)
    const imports = findImports(text).map((found) => ({ ...found, ...locate(root, path, found.specifier) }))
    return { name, test: TEST.test(name), lines: countLines(text), imports }
  })
}

/** The style sheets of src/, which import nothing that these checks look at. */
export function readSheets(root) {
  const paths = listFiles(join(root, 'src'), (name) => name.endsWith('.css'))
  return paths.map((path) => ({ name: nameOf(root, path), lines: countLines(readFileSync(path, 'utf8')) }))
}

function listFiles(folder, isWanted) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

const countLines = (text) => text.split('\n').length - 1
const nameOf = (root, path) => relative(root, path).split(sep).join('/')

const FORMS = [
  /^[ \t]*import\s+(?<type>type\s)?[\w$*{},\s]*?from\s*['"](?<specifier>[^'"\n]+)['"]/gm,
  /^[ \t]*import\s*['"](?<specifier>[^'"\n]+)['"]/gm,
  /^[ \t]*export\s+(?<type>type\s)?\s*(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"](?<specifier>[^'"\n]+)['"]/gm,
  /\b(?:import|require|require\.resolve)\(\s*['"](?<specifier>[^'"\n]+)['"]/g,
  /\bnew URL\(\s*['"](?<specifier>\.[^'"\n]+\.tsx?)['"]\s*,\s*import\.meta\.url/g, // how a worker thread is named
]

/** Reads every form in which a module names another one; exported for its test. */
export function findImports(source) {
  return FORMS.flatMap((form) =>
    [...source.matchAll(form)].map((match) => ({
      line: source.slice(0, match.index + match[0].search(/\S/)).split('\n').length,
      specifier: match.groups.specifier,
      typeOnly: match.groups.type !== undefined,
    })),
  ).sort((a, b) => a.line - b.line)
}

function locate(root, from, specifier) {
  if (!specifier.startsWith('.')) return { library: libraryOf(specifier) }
  return { target: nameOf(root, resolve(dirname(from), specifier)) }
}

function libraryOf(specifier) {
  if (specifier.startsWith('node:')) return specifier
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
