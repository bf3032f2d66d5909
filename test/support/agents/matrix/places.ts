/** Stories of the files and directories around an agent. */
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { powerCut } from '../../restoring.ts'
import type { Cell } from './cell.ts'
import { continues, wakeLost } from './resuming.ts'

const git = (cwd: string, ...args: string[]): unknown =>
  execFileSync('git', ['-c', 'user.name=A User', '-c', 'user.email=user@example.com', ...args], { cwd })

/** The agent runs in a worktree, not where its terminal began. Then the worktree is moved away, and back. */
export async function isMoved(cell: Cell): Promise<void> {
  const { bench } = cell
  const [, worktree = ''] = bench.user.projects
  git(bench.project, 'init', '-q')
  git(bench.project, 'commit', '-q', '--allow-empty', '-m', 'Begin')
  git(bench.project, 'worktree', 'add', '-q', worktree)
  const terminal = await cell.start({ name: 'one', by: 'shell', inside: worktree })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  await powerCut(bench.home)
  await wakeLost(terminal)
  expect(await continues(terminal, 'TWO', ['ONE'])).toBe(conversation)
  await terminal.sleep()
  git(bench.project, 'worktree', 'move', worktree, `${worktree}-away`)
  const refused = await bench.hf('wake', 'one')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain(worktree)
  expect(await terminal.row()).toMatchObject({ state: 'asleep', conversation })
  git(bench.project, 'worktree', 'move', `${worktree}-away`, worktree)
  await terminal.wake()
  expect(await continues(terminal, 'THREE', ['ONE', 'TWO'])).toBe(conversation)
}

export async function losesTranscript(cell: Cell): Promise<void> {
  const { bench, agent } = cell
  const terminal = await cell.start({ name: 'one', by: 'shell' })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  await terminal.sleep()
  deleteTranscripts(cell)
  const refused = await bench.hf('wake', 'one')
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toMatch(/transcript/)
  expect(refused.stderr).toContain('--fresh')
  expect(refused.stderr).toContain('--conversation')
  expect(await terminal.row()).toMatchObject({ state: 'asleep', conversation })
  expect(bench.model.said()).toEqual(['ONE'])

  await terminal.done('wake', '--fresh', 'one')
  await terminal.shows('prompt>')
  await terminal.done('send', 'one', [agent, ...cell.habits.always].join(' '), '--enter')
  await terminal.ready()
  expect(await terminal.turn('TWO')).toMatchObject({ users: 1, marks: ['TWO'] })
}

function deleteTranscripts({ habits, bench }: Cell): void {
  const files = readdirSync(bench.user.path, { recursive: true, encoding: 'utf8' }).map((name) => join(bench.user.path, name))
  const transcripts = files.filter((path) => habits.transcripts.test(path))
  expect(transcripts.length).toBeGreaterThan(0)
  for (const path of transcripts) rmSync(path, { recursive: true, force: true })
}
