import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { daemonsOf, list } from '../support/daemon.ts'
import { HOLDFAST, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** Tools of systemd that note how they are called; `systemctl start` does what the unit says. */
function fakeTools(home: Home) {
  const bin = `${home.path}/bin`
  const config = `${home.path}/with space`
  const calls = `${home.path}/calls`
  mkdirSync(bin)
  const tool = (name: string, lines: string): void => {
    writeFileSync(`${bin}/${name}`, `#!/bin/sh\necho "${name} $*" >> '${calls}'\n${lines}\n`)
    chmodSync(`${bin}/${name}`, 0o755)
  }
  tool('loginctl', 'echo no')
  tool(
    'systemctl',
    `case "$*" in
  *is-active*|*is-enabled*) [ -e '${home.path}/on' ] ;;
  *" enable "*) : > '${home.path}/on' ;;
  *" start "*) sh -c "$(sed -n 's/^ExecStart=//p' '${config}/systemd/user/holdfast.service')" > /dev/null 2>&1 < /dev/null & ;;
  *disable*) rm -f '${home.path}/on' ;;
esac`,
  )
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: config }
  return { env, tool, unit: `${config}/systemd/user/holdfast.service`, calls: () => readFileSync(calls, 'utf8').trim().split('\n') }
}

type Status = {
  installed: boolean
  enabled: boolean
  running: boolean
  lingering: boolean | null
  stale: string | null
  trouble: string | null
}

test('the service is installed, told of, renewed and removed with the tools of systemd; programs run on through all of it', async () => {
  await using home = makeHomeWithOwnPort()
  const { env, tool, unit, calls } = fakeTools(home)
  await run(home, ['new', '--name', 'stays', '--', 'sleep', '300'])
  const [before] = await list(home)
  const printed = await run(home, ['service', 'install', '--print'], { env })
  expect(existsSync(unit)).toBe(false)
  expect(printed.stdout).toContain(`ExecStart="${process.execPath}" "${HOLDFAST}" "daemon" "start" "--foreground"`)
  expect(printed.stdout).toContain(`Environment="HOLDFAST_HOME=${home.path}"`)

  const installed = await run(home, ['service', 'install'], { env })
  expect(installed).toMatchObject({ code: 0, stderr: '' })
  expect(installed.stdout).toContain(`Written: ${unit}`)
  expect(installed.stdout).toMatch(/Lingering is off: .*\n {2}loginctl enable-linger/)
  expect(readFileSync(unit, 'utf8').trimEnd()).toBe(printed.stdout.trimEnd())
  const done = calls().filter((call) => / (?:daemon-reload|enable|restart)\b/.test(call))
  expect(done).toEqual([
    'systemctl --user daemon-reload',
    'systemctl --user enable holdfast.service',
    'systemctl --user restart holdfast.service',
  ])
  expect((await run(home, ['service', 'install'], { env })).stdout).toContain(`Unchanged: ${unit}`)
  expect(await json<Status>(home, ['service', 'status'], { env })).toMatchObject({
    ...{ installed: true, enabled: true, running: true, lingering: false, stale: null, trouble: null },
  })
  expect((await run(home, ['daemon', 'restart'], { env })).code).toBe(0)
  expect(calls().at(-1)).toBe('systemctl --user start holdfast.service')
  writeFileSync(unit, readFileSync(unit, 'utf8').replace(process.execPath, '/gone/node'))
  expect((await json<Status>(home, ['service', 'status'], { env })).stale).toContain(process.execPath)

  expect((await run(home, ['service', 'remove'], { env })).stdout).toContain('Programs keep running')
  expect(existsSync(unit)).toBe(false)
  expect(calls()).toContain('systemctl --user disable --now holdfast.service')
  expect((await list(home)).map(({ id, pid }) => ({ id, pid }))).toEqual([{ id: before?.id, pid: before?.pid }])

  tool('systemctl', '[ "$1" = --user ] || exit 0; echo "Failed to connect to bus: No medium found" >&2; exit 1')
  const silent = await run(home, ['service', 'install'], { env })
  expect(silent).toMatchObject({ code: 1, stdout: `Written: ${unit}\n` })
  expect(silent.stderr).toContain('The service file is written, but systemctl --user daemon-reload failed: Failed to connect to bus')
})

test('a daemon in the foreground is the process that was started, stops on Ctrl-C, and is refused beside another one', async () => {
  await using home = makeHomeWithOwnPort()
  const staying = run(home, ['daemon', 'start', '--foreground'], { timeoutMs: 40_000 })
  await until(async () => existsSync(`${home.path}/daemon.json`), { what: 'the daemon' })
  expect(await run(home, ['daemon', 'start', '--foreground'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already running'),
  })
  const [daemon] = daemonsOf(home)
  process.kill(daemon?.pid ?? 0, 'SIGINT')
  expect(await staying).toMatchObject({ code: 0 })
  expect(daemonsOf(home)).toEqual([])
})
