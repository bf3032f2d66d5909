import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Two folders up, from src/client as from dist/cli. */
export const PACKAGE_FOLDER = fileURLToPath(new URL('../..', import.meta.url))
export const VERSION: string = (JSON.parse(readFileSync(`${PACKAGE_FOLDER}/package.json`, 'utf8')) as { version: string }).version
