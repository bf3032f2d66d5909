import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeConfigFile } from './configFile.ts'

let directory: string
let file: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hf-config-'))
  file = join(directory, 'config.toml')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('a file that is not there is made, for its owner alone', () => {
  expect(changeConfigFile(file, { key: 'web.port', value: 0 })).toEqual({ ok: true, value: null })
  expect(readFileSync(file, 'utf8')).toBe('[web]\nport = 0\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('its permissions stay, and a link to it stays a link', () => {
  mkdirSync(join(directory, 'dotfiles'))
  const real = join(directory, 'dotfiles', 'holdfast.toml')
  writeFileSync(real, '# mine\n')
  chmodSync(real, 0o640)
  symlinkSync(real, file)
  expect(changeConfigFile(file, { key: 'web.port', value: 0 }).ok).toBe(true)
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toBe('# mine\n\n[web]\nport = 0\n')
  expect(statSync(real).mode & 0o777).toBe(0o640)
  expect(readdirSync(join(directory, 'dotfiles'))).toEqual(['holdfast.toml'])
})

test('it is left as it is when the change is refused or cannot be written', () => {
  writeFileSync(file, 'settle_ms = 1\n')
  const refused = changeConfigFile(file, { key: 'web.port', value: 'x' })
  expect(refused).toMatchObject({ ok: false, refusal: { code: 'option-refused', message: expect.stringContaining('web.port must be') } })
  mkdirSync(`${file}.holdfast-draft`) // nothing can be written under this name
  expect(changeConfigFile(file, { key: 'web.port', value: 1 })).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining('cannot change') },
  })
  expect(readFileSync(file, 'utf8')).toBe('settle_ms = 1\n')
})

test('what changes nothing writes nothing', () => {
  writeFileSync(file, '# mine\n')
  const before = statSync(file).ino
  expect(changeConfigFile(file, { key: 'web.port', value: null }).ok).toBe(true)
  expect(statSync(file).ino).toBe(before)
})
