import { expect, test } from 'vitest'
import { localPaths } from './localPaths.ts'
import { isInSandbox, programSocketIn } from './programSocket.ts'

const env = { HOLDFAST_HOME: '/home/ada/.holdfast' }
const paths = localPaths(env)
const own = `${paths.sockets}/t0123456789/sock`

test('the socket of a terminal is taken inside of one, and nowhere else', () => {
  expect(programSocketIn({ ...env, HOLDFAST_SOCKET: own }, paths)).toBe(own)
  expect(programSocketIn(env, paths)).toBe(null)
  expect(programSocketIn({ ...env, HOLDFAST_SOCKET: '' }, paths)).toBe(null)
})

test('the ordinary socket, which programs of earlier versions hold, is no way of its own', () => {
  expect(programSocketIn({ ...env, HOLDFAST_SOCKET: paths.daemonSocket }, paths)).toBe(null)
})

test('the socket of another instance is not taken, unless no instance is named', () => {
  expect(programSocketIn({ ...env, HOLDFAST_SOCKET: '/outer/sockets/t0123456789/sock' }, paths)).toBe(null)
  expect(programSocketIn({ HOLDFAST_SOCKET: '/run/holdfast/sock' }, paths)).toBe('/run/holdfast/sock')
})

test('who sees a terminal’s socket but no state directory is in a sandbox', () => {
  expect(isInSandbox('/tmp/sock', paths)).toBe(true)
  expect(isInSandbox('/nowhere/sock', paths)).toBe(false)
  expect(isInSandbox('/tmp/sock', { ...paths, lock: '/tmp' })).toBe(false)
  expect(isInSandbox(null, paths)).toBe(false)
})
