/** A disk that is really full. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../test/support/milestone.ts'
import { buildHolder, Holders, logOf, sh, typed } from '../../test/support/realHolder.ts'

const holders = new Holders()
beforeAll(buildHolder)
afterEach(() => holders.endAll())

describe('a full disk', () => {
  it('is survived in memory, said, and recovered from', async (context) => {
    const mount = mountTmpfs()
    if (mount === null) return context.skip('mounting a file system is not permitted here')
    try {
      const holder = await holders.start({
        ...sh('read x; seq 500000; printf END; read x; printf more; sleep 100'),
        runDirectory: join(mount.path, 'run'),
      })
      const link = await holder.link()
      link.subscribe()
      link.send(typed('\n'))
      await until(() => link.of('status').some(({ status }) => status.degraded?.includes('the disk is full')), {
        what: 'the degraded status',
      })
      await until(() => link.output().includes('END'), { what: 'the end of the output' })
      expect(link.text()).toContain('500000\r\nEND')
      mount.grow()
      await until(() => link.of('status').at(-1)?.status.degraded === null, { what: 'the recovery' })
      link.send(typed('\n'))
      await until(() => logOf(holder).some((record) => record.kind === 'output' && Buffer.from(record.bytes).includes('more')), {
        what: 'more in the log',
      })
      expect(link.text().endsWith('more')).toBe(true)
      link.send({ kind: 'signal', request: { signal: 'SIGKILL', to: 'tree' } })
      await link.seen('exited')
      link.send({ kind: 'takeExit' })
      await holder.left
    } finally {
      await mount.remove()
    }
  }, 30_000)
})

function mountTmpfs(): { path: string; grow(): void; remove(): Promise<void> } | null {
  const path = mkdtempSync(join(tmpdir(), 'm-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
  return {
    path,
    grow: () => void execFileSync('mount', ['-o', 'remount,size=64m', path]),
    remove: async () => {
      await until(() => execFileSync('umount', [path], { stdio: 'ignore' }) !== undefined, { what: 'the mount to be free' })
      rmSync(path, { recursive: true })
    },
  }
}
