import process from 'node:process'
import { expect, test } from 'vitest'
import { fixtureProgram } from './holdfast.ts'
import { openPty, type PtyOptions } from './ptyClient.ts'

const open = (name: string, args: string[] = [], options: PtyOptions = {}) => openPty(fixtureProgram(name), { ...options, args })

test('prints-numbers prints each number once, in order', async () => {
  await using client = open('prints-numbers.mjs', ['--every', '1', '--count', '300', '--prefix', 'A', '--stay'])
  await client.waitFor(/^A300$/m)
  expect(client.text().split('\n')).toEqual(Array.from({ length: 300 }, (_, i) => `A${i + 1}`))
})

test('prints-and-exits prints its lines and gives its code', async () => {
  await using client = open('prints-and-exits.sh', ['3', '7'])
  expect((await client.ended).code).toBe(7)
  expect(client.text()).toBe('line 1 of 3\nline 2 of 3\nline 3 of 3')
})

test('exits-at-once gives its code and no output', async () => {
  await using client = open('exits-at-once.sh', ['5'])
  expect((await client.ended).code).toBe(5)
  expect(client.output()).toHaveLength(0)
})

test('floods numbers every line up to its bound', async () => {
  await using client = open('floods.mjs', ['--mb', '1'])
  await client.ended
  expect(client.text()).toMatch(/^flood over$/m)
  const numbers = client
    .text()
    .split('\n')
    .slice(0, -1)
    .map((line) => Number(line.slice(0, 10)))
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1))
})

test('ignores-term runs on after a signal, and close ends it all the same', async () => {
  const client = open('ignores-term.mjs')
  await client.waitFor(/^ready/m)
  process.kill(client.pid, 'SIGTERM')
  await client.waitFor(/^ignored SIGTERM$/m)
  await client.close()
  expect((await client.ended).signal).toBe(9)
})

test('says-id-on-term says how to continue before it exits', async () => {
  await using client = open('says-id-on-term.mjs', ['--id', 'abc', '--delay', '50'])
  await client.waitFor(/^ready/m)
  process.kill(client.pid, 'SIGTERM')
  await client.waitFor(/--resume abc$/m)
  expect((await client.ended).code).toBe(0)
})

test('draws-alt-screen draws anew at its size and restores the screen on q', async () => {
  await using client = open('draws-alt-screen.mjs', [], { cols: 40, rows: 10 })
  await client.waitFor(/size 40x10/)
  expect(client.isAlternateScreen()).toBe(true)
  client.resize(50, 12)
  await client.waitFor(/size 50x12/)
  expect(client.screen()[0]).toBe(`┌${'─'.repeat(48)}┐`)
  client.type('q')
  await client.ended
  expect(client.isAlternateScreen()).toBe(false)
  expect(client.text()).toBe('before the alternate screen\nleft')
})

test('echoes-raw gives bytes back as they came, control characters included', async () => {
  await using client = open('echoes-raw.mjs', ['--hex'])
  await client.waitFor(/^ready$/m)
  client.type(new Uint8Array([0x03, 0x1b, 0xff]))
  await client.waitFor(/^031bff$/m)
  client.type('\x04')
  expect((await client.ended).code).toBe(0)
})

test('forks-children names its whole tree', async () => {
  const client = open('forks-children.mjs', ['--depth', '2'])
  const [, pids = ''] = await client.waitFor(/^tree ([\d ]+)$/m)
  const tree = pids.split(' ').map(Number)
  expect(tree).toHaveLength(3)
  expect(tree[0]).toBe(client.pid)
  for (const pid of tree) expect(() => process.kill(pid, 0)).not.toThrow()
  await client.close()
  for (const pid of tree.slice(1)) process.kill(pid, 'SIGKILL')
})

test('asks-device is answered by the emulated terminal', async () => {
  await using client = open('asks-device.mjs', ['--linger', '1000'])
  const [, answer = ''] = await client.waitFor(/^answer ([0-9a-f]+)$/m)
  expect(Buffer.from(answer, 'hex').toString('latin1')).toMatch(/^\x1b\[\?[\d;]+c$/)
})

test('waitFor shows the screen when it gives up', async () => {
  await using client = open('prints-numbers.mjs', ['--count', '1', '--stay'])
  await client.waitFor(/line 1/)
  await expect(client.waitFor(/line 2/, 50)).rejects.toThrow(/waited 50 ms for \/line 2\/ on the screen, which shows:\nline 1/)
})
