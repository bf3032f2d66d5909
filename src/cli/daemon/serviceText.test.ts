import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plistText, type Start, startsTheSame, UNIT, unitText } from './serviceText.ts'

const start: Start = {
  node: '/usr/bin/node',
  program: '/opt/holdfast/bin/holdfast.cjs',
  home: null,
  path: '/usr/bin:/bin',
  errorLog: '/home/ada/.local/state/holdfast/logs/service.log',
}
const odd: Start = { ...start, node: '/opt/my tools/100%/node', program: '/srv/a "b"/$HOME\\x/hf.cjs', home: '/data/50% of $ada' }

const lineOf = (text: string, key: string): string | undefined => text.split('\n').find((line) => line.startsWith(key))

describe('the unit for systemd', () => {
  it('runs the daemon in the foreground, stops nobody else, and comes back after a crash, within limits', () => {
    const text = unitText(start)
    expect(lineOf(text, 'ExecStart=')).toBe('ExecStart="/usr/bin/node" "/opt/holdfast/bin/holdfast.cjs" "daemon" "start" "--foreground"')
    for (const line of ['KillMode=process', 'Restart=on-failure', 'StartLimitBurst=5', 'WantedBy=default.target'])
      expect(text.split('\n')).toContain(line)
    expect(text).not.toContain('HOLDFAST_HOME')
  })

  it('quotes spaces, quotes, backslashes, percent and dollar signs as systemd reads them', () => {
    const text = unitText(odd)
    expect(lineOf(text, 'ExecStart=')).toBe(
      String.raw`ExecStart="/opt/my tools/100%%/node" "/srv/a \"b\"/$$HOME\\x/hf.cjs" "daemon" "start" "--foreground"`,
    )
    expect(lineOf(text, 'Environment="HOLDFAST')).toBe('Environment="HOLDFAST_HOME=/data/50%% of $ada"')
  })

  const hasVerifier = spawnSync('systemd-analyze', ['--version']).status === 0
  it.skipIf(!hasVerifier)('is a unit to systemd itself', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'))
    try {
      const node = execFileSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim() // it must exist
      writeFileSync(join(folder, UNIT), unitText({ ...odd, node }))
      const env = { ...process.env, XDG_RUNTIME_DIR: folder } // where nobody is logged in there is none
      const { stderr, status } = spawnSync('systemd-analyze', ['verify', '--user', join(folder, UNIT)], { encoding: 'utf8', env })
      expect(stderr.split('\n').filter((line) => line.includes(UNIT))).toEqual([])
      expect(status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the property list for launchd', () => {
  it('runs the daemon at login and after a crash, leaves its children alone, and escapes what XML needs', () => {
    const text = plistText({ ...odd, home: '/data/<ada> & co' })
    expect(text).toContain(
      '<string>/opt/my tools/100%/node</string>\n    <string>/srv/a "b"/$HOME\\x/hf.cjs</string>\n    <string>daemon</string>',
    )
    expect(text).toContain('<key>HOLDFAST_HOME</key>\n    <string>/data/&lt;ada&gt; &amp; co</string>')
    for (const key of ['RunAtLoad', 'AbandonProcessGroup']) expect(text).toContain(`<key>${key}</key>\n  <true/>`)
    expect(text).toContain('<key>SuccessfulExit</key>\n    <false/>')
  })
})

it('another PATH is no other start; another Node, program or home is', () => {
  for (const text of [unitText, plistText]) {
    expect(startsTheSame(text(start), text({ ...start, path: '/elsewhere' }))).toBe(true)
    for (const change of [{ node: '/n' }, { program: '/p' }, { home: '/h' }])
      expect(startsTheSame(text(start), text({ ...start, ...change }))).toBe(false)
  }
})
