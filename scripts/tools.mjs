#!/usr/bin/env node
/**
 * Finds what the tests and benchmarks need beyond npm, or installs it by package name:
 *   node scripts/tools.mjs tmux chromium headless-shell strace zsh fish bwrap
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TOOLS = {
  tmux: { find: () => findOnPath(['tmux']), apt: ['tmux'], brew: ['tmux'], hint: 'Install the package tmux.' },
  chromium: {
    find: findChromium,
    apt: ['chromium', 'chromium-browser'], // Debian's name, then Ubuntu's
    brew: ['--cask', 'chromium'],
    hint: 'Install the package chromium, or set CHROMIUM_PATH to a Chromium or Chrome that you have.',
  },
  // Chromium without a window: opens a page with a third of the work. Tests that do without notifications take it where it is.
  'headless-shell': {
    find: findHeadlessShell,
    apt: ['chromium-headless-shell'],
    brew: [],
    hint: 'Install the package chromium-headless-shell.',
    optional: true,
  },
  // Counts syncs. Tests that need it say so and are skipped without it.
  strace: { find: () => findOnPath(['strace']), apt: ['strace'], brew: ['strace'], hint: 'Install the package strace.', optional: true },
  // A sandbox that agents are started in. Tests that need it say so and are skipped without it; macOS has none.
  bwrap: { find: () => findOnPath(['bwrap']), apt: ['bubblewrap'], brew: [], hint: 'Install the package bubblewrap.', optional: true },
  // Login shells that start agents. Each is tried where it is.
  zsh: { find: () => findOnPath(['zsh']), apt: ['zsh'], brew: ['zsh'], hint: 'Install the package zsh.', optional: true },
  fish: { find: () => findOnPath(['fish']), apt: ['fish'], brew: ['fish'], hint: 'Install the package fish.', optional: true },
}

const MAC_BROWSERS = ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

/**
 * CHROMIUM_PATH wins even when it is wrong: whoever set it wants to hear of the mistake, not another browser.
 * @returns {string | null} the path of a browser that Playwright can drive
 */
export function findChromium(env = process.env) {
  const given = env['CHROMIUM_PATH']
  if (given) return isProgram(given) ? given : null
  return (
    findOnPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], env) ??
    (process.platform === 'darwin' ? (MAC_BROWSERS.find(isProgram) ?? null) : null)
  )
}

/** Where CHROMIUM_PATH is set, that browser is meant for everything. */
export function findHeadlessShell(env = process.env) {
  return env['CHROMIUM_PATH'] ? null : findOnPath(['chromium-headless-shell', 'chrome-headless-shell'], env)
}

/** @returns {string | null} */
export function findOnPath(names, env = process.env) {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // absent or not ours to run: either way it cannot be used
  }
}

/** How this machine installs packages: a list of attempts, each a list of commands; or a sentence why it cannot. */
function planInstall(tool) {
  if (process.platform === 'darwin') {
    if (tool.brew.length === 0) return { cannot: 'macOS has no such program' }
    return findOnPath(['brew']) ? { attempts: [[['brew', 'install', ...tool.brew]]] } : { cannot: 'Homebrew was not found' }
  }
  if (!findOnPath(['apt-get'])) return { cannot: 'this system has no apt-get' }
  const root = process.getuid?.() === 0
  if (!root && !(findOnPath(['sudo']) && succeeds(['sudo', '-n', 'true']))) return { cannot: 'this needs root or sudo without a password' }
  const apt = [...(root ? [] : ['sudo', '-n']), 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-y', '-o', 'Dpkg::Use-Pty=0']
  return {
    attempts: tool.apt.map((name) => [
      [...apt, 'update'],
      [...apt, 'install', '--no-install-recommends', name],
    ]),
  }
}

function succeeds([command, ...args], stdio = 'ignore') {
  return spawnSync(command, args, { stdio }).status === 0
}

/** What a run has done already: the list of packages is the same for the next tool. */
const done = new Set()

/** Package mirrors fail for a moment now and then; a second try is cheaper than a failed test run. */
function installOnce(commands) {
  return commands.every((command) => {
    const line = command.join(' ')
    if (done.has(line)) return true
    console.log(`• ${line}`)
    const stdio = ['ignore', 'ignore', 'inherit']
    const isDone = succeeds(command, stdio) || succeeds(command, stdio)
    if (isDone) done.add(line)
    return isDone
  })
}

function provide(name) {
  const tool = TOOLS[name]
  if (tool === undefined) return { name, problem: `unknown; the tools are ${Object.keys(TOOLS).join(', ')}.` }
  const found = tool.find()
  if (found !== null) return { name, path: found }
  const plan = planInstall(tool)
  if (plan.cannot !== undefined) return { name, problem: `not found, and ${plan.cannot}. ${tool.hint}` }
  for (const commands of plan.attempts) {
    const path = installOnce(commands) ? tool.find() : null
    if (path !== null && succeeds([path, name === 'tmux' ? '-V' : '--version'])) return { name, path }
  }
  return { name, problem: `not found, and installing it failed. ${tool.hint}` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, path, problem } of process.argv.slice(2).map(provide)) {
    if (problem !== undefined && !TOOLS[name]?.optional) process.exitCode = 1
    console[problem === undefined ? 'log' : 'error'](`• ${name}: ${path ?? problem}`)
  }
}
