#!/usr/bin/env node
/** Asks the registry for known vulnerabilities of what users install. Not every registry answers that: then nothing is checked, and it says so. */
import { spawnSync } from 'node:child_process'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { ROOT, say } from './steps.mjs'

const ANSWERS_WITHIN_MS = 20_000
const FAILING = ['high', 'critical']

/**
 * What `npm audit --json` said: the vulnerabilities, or why there is no answer. An error of the registry is no finding.
 * @returns {{ answered: true, found: { name: string, severity: string, range: string, title: string }[] } | { answered: false, why: string }}
 */
export function readAudit(output) {
  let report
  try {
    report = JSON.parse(output)
  } catch {
    return { answered: false, why: 'npm audit printed no report' }
  }
  const { vulnerabilities } = report ?? {}
  if (typeof vulnerabilities !== 'object' || vulnerabilities === null)
    return { answered: false, why: firstLine(report?.error?.summary || report?.message || report?.error?.code || 'it sent no report') }
  const found = Object.values(vulnerabilities).map(({ name, severity, range, via }) => ({
    ...{ name, severity, range },
    title: via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : cause.title)).join('; '),
  }))
  return { answered: true, found: found.sort((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Without the address that was asked. */
const firstLine = (text) => String(text).split('\n')[0].split(' - ')[0]

export function tableOf(found) {
  const rows = [
    ['severity', 'package', 'versions', 'what'],
    ...found.map(({ severity, name, range, title }) => [severity, name, range, title]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const isFailing = ({ severity }) => FAILING.includes(severity)

function audit() {
  const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
    ...{ cwd: ROOT, encoding: 'utf8', timeout: ANSWERS_WITHIN_MS },
  })
  const read =
    error === undefined ? readAudit(stdout) : { answered: false, why: error.code === 'ETIMEDOUT' ? 'no answer in time' : error.message }
  if (!read.answered) return say(`The registry does not offer audit; nothing was checked. (${read.why})`)
  if (read.found.length > 0) console.log(tableOf(read.found))
  const failing = read.found.filter(isFailing)
  say(`audit: ${read.found.length} known vulnerabilities, ${failing.length} of them high or critical`)
  if (failing.length > 0) process.exit(1)
}

if (argv[1] === fileURLToPath(import.meta.url)) audit()
