import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findChromium, findHeadlessShell } from './tools.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tools-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function addProgram(name, script = '') {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** Runs the command on a machine that has only the programs of `folder`. */
function tools(...names) {
  const script = fileURLToPath(new URL('tools.mjs', import.meta.url))
  return new Promise((settle) => {
    execFile(process.execPath, [script, ...names], { env: { PATH: folder } }, (error, stdout, stderr) =>
      settle({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

describe('findChromium', () => {
  test('takes CHROMIUM_PATH before anything on PATH', () => {
    addProgram('chromium')
    const chosen = addProgram('mine')
    expect(findChromium({ PATH: folder, CHROMIUM_PATH: chosen })).toBe(chosen)
  })

  test('does not replace a wrong CHROMIUM_PATH by another browser', () => {
    addProgram('chromium')
    expect(findChromium({ PATH: folder, CHROMIUM_PATH: join(folder, 'missing') })).toBe(null)
  })

  test.each(['chromium', 'chromium-browser', 'google-chrome'])('knows the name %s', (name) => {
    const path = addProgram(name)
    expect(findChromium({ PATH: `/nonexistent:${folder}` })).toBe(path)
  })
})

test('a headless shell is taken from PATH, unless a browser was chosen', () => {
  const path = addProgram('chromium-headless-shell')
  expect(findHeadlessShell({ PATH: folder })).toBe(path)
  expect(findHeadlessShell({ PATH: folder, CHROMIUM_PATH: addProgram('mine') })).toBe(null)
})

test('what is there is printed with its path', async () => {
  const path = addProgram('tmux')
  expect(await tools('tmux')).toEqual({ code: 0, stdout: `• tmux: ${path}\n`, stderr: '' })
})

test('an unknown tool is refused with the list of known ones', async () => {
  expect(await tools('screen')).toMatchObject({
    code: 1,
    stderr: '• screen: unknown; the tools are tmux, chromium, headless-shell, strace, bwrap, zsh, fish.\n',
  })
})

test.runIf(process.platform === 'linux')('one that tests can do without is missed with a sentence, not with a failure', async () => {
  expect(await tools('strace')).toMatchObject({ code: 0, stderr: expect.stringContaining('strace: not found') })
})

describe.runIf(process.platform === 'linux')('where packages come from apt', () => {
  const log = () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : [])

  /** Installs by writing an empty program; the first `failures` calls fail, as a mirror does now and then. */
  function addApt(failures) {
    for (const name of ['env', 'tail', 'chmod', 'wc']) symlinkSync(`/usr/bin/${name}`, join(folder, name))
    addProgram('sudo', 'shift; exec "$@"') // for those who run this as an ordinary user
    const arrived = `for last; do :; done; echo "$last" >> ${folder}/log`
    const fails = `[ "$(wc -l < ${folder}/log)" -le ${failures} ] && exit 100`
    addProgram('apt-get', `${arrived}\n${fails}\n[ "$last" = update ] || { echo '#!/bin/sh' > ${folder}/$last; chmod +x ${folder}/$last; }`)
  }

  test('a missing tool is installed by its name after an update', async () => {
    addApt(0)
    expect(await tools('tmux')).toMatchObject({ code: 0, stdout: expect.stringContaining(`• tmux: ${join(folder, 'tmux')}`) })
    expect(log()).toEqual(['update', 'tmux'])
  })

  test('the list of packages is fetched once for all that is missing', async () => {
    addApt(0)
    expect(await tools('tmux', 'zsh', 'fish')).toMatchObject({ code: 0 })
    expect(log()).toEqual(['update', 'tmux', 'zsh', 'fish'])
  })

  test('a step that fails is tried once more', async () => {
    addApt(1)
    expect(await tools('tmux')).toMatchObject({ code: 0 })
    expect(log()).toEqual(['update', 'update', 'tmux'])
  })

  test('a mirror that stays away ends with what to install', async () => {
    addApt(100)
    expect(await tools('chromium')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('chromium: not found, and installing it failed. Install the package chromium'),
    })
  })

  test('a system without apt is told what to install', async () => {
    expect(await tools('tmux')).toMatchObject({
      code: 1,
      stderr: '• tmux: not found, and this system has no apt-get. Install the package tmux.\n',
    })
  })
})
