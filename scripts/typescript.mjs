/** Lets a script use the TypeScript of this repository on a Node that does not read it: bundled on the spot, into build/. */
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { ROOT } from './steps.mjs'

const INSTALLED = /^(node:|@?[a-z])/ // libraries stay where they are, so that bundle and script share them

/** @param {string} path of a module, from the root of the repository */
export async function importTypeScript(path) {
  const file = await bundleTypeScript(path)
  try {
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(file)
  }
}

/** For threads, which import it too: the caller removes the file. */
export async function bundleTypeScript(path) {
  const folder = join(ROOT, 'build', 'scripts')
  mkdirSync(folder, { recursive: true })
  // One file per process: scripts that run at the same time do not read each other's half-written bundles.
  const file = join(folder, `${basename(path, '.ts')}.${process.pid}.mjs`)
  const bundle = await rolldown({ input: join(ROOT, path), platform: 'node', external: (id) => INSTALLED.test(id), logLevel: 'warn' })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}
