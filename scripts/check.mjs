#!/usr/bin/env node
/** Everything that can be said about the source without running it: types, lint and format, layers, licences. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exists, ROOT, step } from './steps.mjs'

step('types', 'tsc', '-b')
if (exists('src/web/tsconfig.json') && !isBuiltWithTheRest('src/web')) step('types of the page', 'tsc', '-p', 'src/web', '--noEmit')
step('types of the tests', 'tsc', '-p', 'tsconfig.test.json')
step('lint and format', 'biome', 'check', '--error-on-warnings')
step('layers', process.execPath, 'scripts/layers.mjs')
step('licences', process.execPath, 'scripts/licenses.mjs')

function isBuiltWithTheRest(folder) {
  const { references } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  return references.some((reference) => reference.path.replace('./', '') === folder)
}
