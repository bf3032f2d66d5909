import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findImports } from './imports.mjs'
import { findOffences, LAYERS } from './layers.mjs'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'layers-'))
  await mkdir(join(root, 'src'))
})
afterEach(() => rm(root, { recursive: true }))

async function tree(files) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  return findOffences(root)
}

describe('an arrow between folders', () => {
  test('may point down', async () => {
    expect(
      await tree({
        'src/workspace/step.ts': "import type { RunId } from '../base/ids.ts'\nimport { b } from './b.ts'",
        'src/daemon/main.ts': "import { readFile } from 'node:fs/promises'\nimport { open } from '../store/open.ts'\nimport ws from 'ws'",
        'src/web/App.tsx': "import { useState } from 'react'\nimport './style.css'",
        'src/web/Row.tsx': "import { useMemo } from 'react'",
      }),
    ).toEqual([])
  })

  test('is printed with its file, line and what would be allowed when it points up', async () => {
    expect(await tree({ 'src/workspace/step.ts': "// why\n\nimport { registry } from '../daemon/registry.ts'\n" })).toEqual([
      'src/workspace/step.ts:3  workspace → daemon   (workspace may import: base, agents)',
    ])
  })

  test('is found in every form an import can take', async () => {
    const offences = await tree({
      'src/base/forms.ts': [
        "import '../wire/a.ts'",
        'import {',
        '  x,',
        '  type Y,',
        "} from '../wire/b.ts'",
        "export * from '../wire/c.ts'",
        "export type { Z } from '../wire/d.ts'",
        "const later = () => import('../wire/e.ts')",
        "new Worker(new URL('../wire/f.ts', import.meta.url))",
      ].join('\n'),
    })
    expect(offences.map((line) => line.split('  ')[0])).toEqual([1, 2, 6, 7, 8, 9].map((line) => `src/base/forms.ts:${line}`))
  })

  test('is not seen in comments or in text', () => {
    expect(findImports(" * import { a } from '../daemon/a.ts'\nexport const from = 'x'\nconst text = 'import b from c'")).toEqual([])
  })

  test('between siblings is refused', async () => {
    expect(await tree({ 'src/store/spawn.ts': "import { main } from '../holder/main.ts'" })).toEqual([
      'src/store/spawn.ts:1  store → holder   (store may import: base, agents, workspace, wire)',
    ])
  })

  test('from a folder that is no layer asks for a row in the table', async () => {
    const [offence] = await tree({ 'src/helpers/a.ts': "import { b } from '../base/b.ts'" })
    expect(offence).toContain('src/helpers is not a layer')
  })
})

describe('a library', () => {
  test('is refused in a folder that may not see it', async () => {
    expect(await tree({ 'src/workspace/a.ts': "import { readFile } from 'node:fs'", 'src/cli/b.ts': "import { z } from 'zod'" })).toEqual([
      'src/cli/b.ts:1  cli → zod   (cli may use: node:*, commander)',
      'src/workspace/a.ts:1  workspace → node:fs   (workspace may use: no library)',
    ])
  })

  test('is imported in one file only', async () => {
    expect(await tree({ 'src/daemon/a.ts': "import ws from 'ws'", 'src/daemon/b.ts': "import type { WebSocket } from 'ws'" })).toEqual([
      'src/daemon/b.ts:1  daemon → ws   (a library is imported in one file; this one in src/daemon/a.ts:1)',
    ])
  })

  test('that is a builtin still in experiment needs its own permission', async () => {
    const offences = await tree({ 'src/daemon/a.ts': "import 'node:sqlite'", 'src/store/a.ts': "import 'node:sqlite'" })
    expect(offences).toEqual(['src/daemon/a.ts:1  daemon → node:sqlite   (daemon may use: node:*, ws, pino)'])
  })

  test('for tests is allowed in tests alone', async () => {
    const source = "import { test } from 'vitest'\nimport { makeHome } from '../../test/support/home.ts'"
    expect(await tree({ 'src/base/a.test.ts': source })).toEqual([])
    expect(await tree({ 'src/base/a.ts': source })).toHaveLength(2)
  })
})

describe('the holder', () => {
  test('may import only its own files of wire', async () => {
    const offences = await tree({ 'src/holder/main.ts': "import { a } from '../wire/holder.ts'\nimport { c } from '../wire/commands.ts'" })
    expect(offences).toHaveLength(1)
    expect(offences[0]).toContain('src/holder/main.ts:2  holder → wire/commands.ts')
  })

  test('is told when a permitted file brings in a forbidden library', async () => {
    const files = { 'src/holder/main.ts': "import { a } from '../wire/log.ts'", 'src/wire/log.ts': "import { b } from './shapes.ts'" }
    expect(await tree({ ...files, 'src/wire/shapes.ts': "import { z } from 'zod'" })).toEqual([
      'src/wire/shapes.ts:1  holder → zod   (reached through src/holder/main.ts → src/wire/log.ts → src/wire/shapes.ts)',
    ])
    expect(await tree({ ...files, 'src/wire/shapes.ts': "import type { z } from 'zod'" })).toEqual([])
  })
})

describe('project references', () => {
  test('agree with the table', async () => {
    const offences = await tree({ 'src/wire/tsconfig.json': '{ "references": [{ "path": "../base" }, { "path": "../daemon" }] }' })
    expect(offences).toEqual(['src/wire/tsconfig.json  references base, daemon   (wire may import: base, agents, workspace, screen)'])
  })

  test('of the table point down: no folder is below itself', () => {
    const below = (folder) => LAYERS[folder].folders.flatMap((next) => [next, ...below(next)])
    for (const folder of Object.keys(LAYERS)) expect(below(folder)).not.toContain(folder)
  })
})

test('the command prints the arrow and fails', async () => {
  await tree({ 'src/workspace/step.ts': "import { registry } from '../daemon/registry.ts'" })
  const script = fileURLToPath(new URL('layers.mjs', import.meta.url))
  const { code, stderr } = await new Promise((settle) => {
    execFile(process.execPath, [script, root], (error, _stdout, text) => settle({ code: error?.code ?? 0, stderr: text }))
  })
  expect(code).toBe(1)
  expect(stderr).toContain('src/workspace/step.ts:1  workspace → daemon')
})
