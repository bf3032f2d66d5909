/** Stories of the agent's program: it is broken for a while, or a new version takes the place of the old one. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { installAgent } from '../installAgents.ts'
import type { Cell } from './cell.ts'
import { continues } from './resuming.ts'

/** As an installer does: a directory for each version, and in PATH a link to the newest. */
class OwnInstall {
  private readonly link: string

  constructor(private readonly cell: Cell) {
    this.link = join(cell.bench.user.path, 'bin', cell.agent)
  }

  directory = (version: string): string => join(this.cell.bench.user.path, 'versions', `${this.cell.agent}-${version}`)

  async add(version: string, { isPinned }: { readonly isPinned: boolean }): Promise<void> {
    const installed = await installAgent(this.cell.agent, { isPinned })
    if (!installed.ok) throw new Error(installed.reason)
    mkdirSync(dirname(this.directory(version)), { recursive: true })
    const from = dirname(dirname(dirname(installed.bin)))
    copy(from, this.directory(version))
    this.put((place) => symlinkSync(join(this.directory(version), 'node_modules', '.bin', this.cell.agent), place))
  }

  remove(version: string): void {
    rmSync(this.directory(version), { recursive: true })
  }

  breakIt(): void {
    this.put((place) => writeFileSync(place, '#!/bin/sh\necho "this agent is broken" >&2\nexit 1\n', { mode: 0o755 }))
  }

  mend(version: string): void {
    this.put((place) => symlinkSync(join(this.directory(version), 'node_modules', '.bin', this.cell.agent), place))
  }

  private put(make: (place: string) => void): void {
    mkdirSync(dirname(this.link), { recursive: true })
    make(`${this.link}.new`)
    renameSync(`${this.link}.new`, this.link)
  }
}

/** Hundreds of megabytes: as links where both are on one disk. */
function copy(from: string, to: string): void {
  try {
    execFileSync('cp', ['-RlP', from, to], { stdio: 'ignore' })
  } catch {
    rmSync(to, { recursive: true, force: true })
    execFileSync('cp', ['-RP', from, to])
  }
}

export async function isUpdated(cell: Cell): Promise<void> {
  const own = new OwnInstall(cell)
  await own.add('old', { isPinned: true })
  const terminal = await cell.start({ name: 'one', by: 'shell' })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  await terminal.sleep()
  await own.add('new', { isPinned: false })
  own.remove('old')
  await terminal.wake()
  expect(await continues(terminal, 'TWO', ['ONE'])).toBe(conversation)
}

export async function failsToResume(cell: Cell): Promise<void> {
  const own = new OwnInstall(cell)
  await own.add('whole', { isPinned: false })
  const terminal = await cell.start({ name: 'one', by: 'shell' })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  await terminal.sleep()
  own.breakIt()
  const failed = await cell.bench.hf('wake', 'one')
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toContain('this agent is broken')
  expect(await terminal.row()).toMatchObject({ state: 'asleep', because: { kind: 'failed' }, conversation, agent: null })
  own.mend('whole')
  await terminal.wake()
  expect(await continues(terminal, 'TWO', ['ONE'])).toBe(conversation)
}
