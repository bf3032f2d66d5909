import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { paletteFor } from '../text/color.ts'
import { findingsText } from '../verbs/doctor.ts'
import { bad, guarded, ok } from './check.ts'
import { checkDirectory } from './state.ts'
import { checkNode } from './tools.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 's-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('doctor', () => {
  it('is content with a directory of one’s own, and with one that can be made', () => {
    expect(checkDirectory('home', folder)).toEqual([ok('home', `${folder} (700)`)])
    expect(checkDirectory('home', join(folder, 'a/b'))[0]?.level).toBe('ok')
  })

  it('says how to close a directory that others can read', async () => {
    await chmod(folder, 0o755)
    expect(checkDirectory('home', folder)[0]).toMatchObject({ level: 'bad', advice: `chmod 700 ${folder}` })
  })

  it('knows a file from a directory', async () => {
    await writeFile(join(folder, 'file'), '')
    expect(checkDirectory('home', join(folder, 'file'))[0]).toMatchObject({
      level: 'bad',
      detail: expect.stringContaining('not a directory'),
    })
  })

  it('knows the oldest Node that will do', () => {
    expect(checkNode('20.19.0')[0]?.level).toBe('ok')
    expect(checkNode('24.0.0')[0]?.level).toBe('ok')
    expect(checkNode('20.18.9')[0]?.level).toBe('bad')
    expect(checkNode('18.20.0')[0]?.level).toBe('bad')
  })

  it('goes on when a check itself fails', async () => {
    const findings = await guarded('disk', () => {
      throw new Error('boom')
    })
    expect(findings[0]).toMatchObject({ name: 'disk', level: 'bad', detail: expect.stringContaining('boom') })
  })

  it('puts the advice below the finding', () => {
    const text = findingsText([ok('node', '24'), bad('config', 'line 3', 'Correct it.')], paletteFor({ stdout: {}, env: {} }))
    expect(text).toBe('ok    node    24\nbad   config  line 3\n              Correct it.')
  })
})
