/**
 * What a process or thread starts with; the build puts a copy of it before each bundle. It runs the bundle beside it from
 * the code that was compiled at the build, which saves a third of the work of a start. Another Node than the build's, or a
 * bundle that was changed since, is compiled anew.
 */
const { readFileSync, statSync } = require('node:fs')
const { Script } = require('node:vm')

const stem = __filename.slice(0, -'.js'.length)
const bundle = `${stem}.bundle.js`
const wrapped = `(function (exports, require, module, __filename, __dirname) {${readFileSync(bundle, 'latin1')}\n})`
const script = new Script(wrapped, { filename: bundle, cachedData: compiledCode() })
script.runInThisContext()(exports, require, module, bundle, __dirname)

/** V8 checks its own version and the length of the source, but neither the processor nor the text. */
function compiledCode() {
  try {
    const file = `${stem}.${process.version}-${process.arch}.cache`
    return statSync(file).mtimeMs < statSync(bundle).mtimeMs ? undefined : readFileSync(file)
  } catch {
    return undefined // none was built for this Node
  }
}
