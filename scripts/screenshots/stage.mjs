/** What the pictures show: two small repositories, programs at work in them, and two agents. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../../bench/lab/clock.mjs'

const AGENT = fileURLToPath(new URL('agent.mjs', import.meta.url))
const FILES = {
  'package.json': '{ "name": "harbour", "type": "module" }\n',
  'README.md': '# Harbour\n',
  'src/moorings.js': 'export const fits = (berth, boat) => berth.length >= boat.length\n',
  'src/tides.js': 'export const isHigh = (hour) => hour % 12 < 6\n',
  'test/moorings.test.js': `import assert from 'node:assert'
import { describe, it } from 'node:test'
import { fits } from '../src/moorings.js'
describe('a berth', () => {
  it('takes a boat that is shorter', () => assert.ok(fits({ length: 9 }, { length: 8 })))
  it('refuses one that is longer', () => assert.ok(!fits({ length: 9 }, { length: 10 })))
  it('takes one that just fits', () => assert.ok(fits({ length: 9 }, { length: 9 })))
})
`,
  'test/tides.test.js': `import assert from 'node:assert'
import { describe, it } from 'node:test'
import { isHigh } from '../src/tides.js'
describe('the tide', () => {
  it('is high in the morning', () => assert.ok(isHigh(3)))
  it('is low at eight', () => assert.ok(!isHigh(8)))
})
`,
}
const PROMPT = '\\[\\e[32m\\]\\W\\[\\e[0m\\] $ '
const COMMITS = [
  ['main', 'Boats find a berth by their length'],
  ['main', 'Tides are known by the hour'],
  ['faster-moorings', 'Berths are sorted once'],
  ['faster-moorings', 'A binary search per boat'],
  ['main', 'The list says how long a boat stays'],
]
const SERVER = `const paths = ['/boats', '/berths/12', '/tides', '/boats/7/stay']; let n = 0
const line = () => { n += 1; const slow = n % 7 === 0
console.log('\\x1b[2m12:0' + (n % 10) + ':17\\x1b[0m ' + (slow ? '\\x1b[33mWARN' : '\\x1b[32mINFO') + '\\x1b[0m  GET \\x1b[36m' + paths[n % 4] + '\\x1b[0m ' + (slow ? '\\x1b[33m304' : '200') + '\\x1b[0m ' + (slow ? 812 : 3 + n % 9) + ' ms') }
for (let i = 0; i < 30; i += 1) line(); console.log('\\x1b[1mserver-is-up\\x1b[0m on http://localhost:8080'); setInterval(() => {}, 1e6)`

export async function setStage(lab, holdfast) {
  const bin = lab.folder('bin')
  for (const name of ['claude', 'codex']) {
    copyFileSync(AGENT, join(bin, name))
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(bin, 'package.json'), '{ "type": "module" }\n')
  const api = makeRepository(lab.folder('projects/harbour-api'), lab.environment())
  const web = makeRepository(lab.folder('projects/harbour-web'), lab.environment())
  const { HOLDFAST_HOME: _ours, ...env } = holdfast.env
  const inherited = { ...env, PATH: `${bin}:${env.PATH}`, SHELL: '/bin/bash' }
  const own = { FORCE_COLOR: '1', GIT_PAGER: 'cat' }
  const open = async ({ sign, ...wish }) => {
    const { id } = await holdfast.ask('terminal.new', { env: own, inherited, args: [], size: { cols: 90, rows: 30 }, ...wish })
    return { id, name: wish.name, sign }
  }
  const shell = (line) => ({
    command: 'bash',
    args: ['--norc', '--noprofile', '-c', `${line}; exec env PS1='${PROMPT}' bash --norc --noprofile`],
  })
  const { id: operations } = await holdfast.ask('workspace.new', { name: 'operations' })
  const terminals = [
    await open({ name: 'moorings', cwd: api, command: 'claude', sign: 'Measuring again' }),
    await open({ name: 'boat form', cwd: web, command: 'codex', args: ['--asks'], sign: 'do not ask again' }),
    await open({ name: 'tests', cwd: api, ...shell('node --test --test-reporter=spec'), sign: 'duration_ms' }),
    await open({
      name: 'history',
      cwd: api,
      ...shell('git log --graph --all --color --format="%C(yellow)%h%C(auto)%d%C(reset) %s"'),
      sign: 'length',
    }),
    await open({ name: 'server', cwd: web, command: process.execPath, args: ['-e', SERVER], workspace: operations, sign: 'server-is-up' }),
  ]
  await until(async () => (await holdfast.ask('terminal.list', {})).some(({ agent }) => agent?.state === 'needs-you'), {
    what: 'an agent that needs somebody',
  })
  return terminals.filter(({ name }) => name !== 'server')
}

function makeRepository(folder, env) {
  const who = {
    GIT_AUTHOR_NAME: 'Mia',
    GIT_AUTHOR_EMAIL: 'mia@example.org',
    GIT_COMMITTER_NAME: 'Mia',
    GIT_COMMITTER_EMAIL: 'mia@example.org',
  }
  const git = (...args) =>
    execFileSync('git', args, { cwd: folder, stdio: 'ignore', env: { ...env, ...who, GIT_CONFIG_GLOBAL: '/dev/null' } })
  git('init', '-b', 'main')
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  git('add', '.')
  git('commit', '-m', 'An empty harbour')
  for (const [index, [branch, words]] of COMMITS.entries()) {
    if (branch !== 'main' && index === COMMITS.findIndex(([each]) => each === branch)) git('branch', branch)
    git('switch', branch)
    writeFileSync(join(folder, `note-${index}.md`), `${words}\n`)
    git('add', '.')
    git('commit', '-m', words)
  }
  return folder
}

/** As if the machine had lost its power: every holder is gone at once. */
export async function loseAll(holdfast) {
  const terminals = await holdfast.ask('terminal.list', {})
  for (const { holderPid } of terminals) if (holderPid !== null) process.kill(holderPid, 'SIGKILL')
  await until(async () => (await holdfast.ask('terminal.list', {})).every(({ state }) => state === 'asleep'), {
    what: 'all terminals to be lost',
  })
}
