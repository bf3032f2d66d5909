#!/usr/bin/env node
/**
 * Everything that can be said about the source without running it: types, lint and format, what nothing uses, layers, cycles, sizes,
 * licences. Three parts at a time; one that fails does not keep the others from being tried.
 */
import { stepBeside } from './steps.mjs'

const script = (title, file) => stepBeside(title, process.execPath, `scripts/${file}`)

await Promise.all([types(), stepBeside('lint and format', 'biome', 'check', '--error-on-warnings'), theRest()])

/** One after the other: tests import what the first one writes into build/. */
async function types() {
  if (await stepBeside('types', 'tsc', '-b')) await stepBeside('types of the tests', 'tsc', '-p', 'tsconfig.test.json')
}

async function theRest() {
  await script('layers', 'layers.mjs')
  await script('cycles and sizes', 'ratchets.mjs')
  await script('durations of tests', 'durations.mjs')
  await script('licences', 'licenses.mjs')
  await stepBeside('what nothing uses', 'knip', '--no-progress', '--treat-config-hints-as-errors')
}
