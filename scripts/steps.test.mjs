import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const STEPS = JSON.stringify(new URL('steps.mjs', import.meta.url).href)

/** Runs a script that imports the steps; `node` there is this program. */
function run(script) {
  const source = `import { step, stepBeside } from ${STEPS}; const node = process.execPath; ${script}`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  return { status, lines: stdout.trim().split('\n') }
}

test('steps beside each other are all tried, and the script fails if one of them does', () => {
  const { status, lines } = run(`await Promise.all([
    stepBeside('bad', node, '-e', 'console.log("why"); process.exit(3)'),
    stepBeside('good', node, '-e', 'setTimeout(() => console.log("late"), 200)'),
  ])`)
  expect(status).toBe(1)
  expect(lines).toEqual(['why', expect.stringMatching(/^• bad: FAILED \(exit 3, .* s\): /), 'late', expect.stringMatching(/^• good: ok, /)])
})

test('a step beside others says whether it succeeded', () => {
  const { status, lines } = run(`
    const good = await stepBeside('good', node, '-e', '')
    const killed = await stepBeside('killed', node, '-e', 'process.kill(process.pid, "SIGKILL")')
    const missing = await stepBeside('missing', 'no-such-program')
    console.log(good, killed, missing)`)
  expect(status).toBe(1)
  expect(lines).toEqual([
    expect.stringMatching(/^• good: ok, /),
    expect.stringMatching(/^• killed: FAILED \(SIGKILL, /),
    expect.stringMatching(/^• missing: FAILED \(.*ENOENT, /),
    'true false false',
  ])
})

test('a step alone ends the script when it fails', () => {
  const { status, lines } = run(`step('bad', node, '-e', 'process.exit(2)'); console.log('after')`)
  expect(status).toBe(1)
  expect(lines).toEqual([expect.stringMatching(/^• bad: FAILED \(exit 2, /)])
})
