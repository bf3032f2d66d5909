import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hookCommand } from './settings.ts'

it('runs the Holdfast that wrote it, whatever PATH has; the one in PATH only where that is gone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-hook-'))
  try {
    const install = (place: string): string => {
      mkdirSync(join(folder, place))
      writeFileSync(join(folder, place, 'holdfast'), `#!/bin/sh\necho "${place} $*" >> '${folder}/told'\n`, { mode: 0o755 })
      return join(folder, place, 'holdfast')
    }
    const own = install("it's own")
    install('path')
    const told = (program: string, terminal = 't1'): string => {
      writeFileSync(join(folder, 'told'), '')
      const env = { PATH: `${join(folder, 'path')}:/bin:/usr/bin`, HOLDFAST_TERMINAL_ID: terminal }
      const ran = spawnSync('/bin/sh', ['-c', hookCommand({ agent: 'claude', event: 'Stop', program })], { env, input: '{}' })
      expect({ code: ran.status, out: `${ran.stdout}${ran.stderr}` }).toEqual({ code: 0, out: '' })
      return spawnSync('cat', [join(folder, 'told')], { encoding: 'utf8' }).stdout
    }
    expect(told(own)).toBe("it's own agent report claude --event Stop\n")
    expect(told(join(folder, 'gone'))).toBe('path agent report claude --event Stop\n')
    expect(told(own, '')).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
