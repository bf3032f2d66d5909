/**
 * What a disk may hold after a power cut: everything that was synced, and of what was only written nothing, or any part.
 * A name is there when its directory was synced, the contents when the file was; one says nothing about the other.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Random } from './random.ts'
import { type Call, readTrace, strace } from './tracedCalls.ts'

/** `done` is the moment since when it counts. */
type Change = { readonly done: number } & (
  | { readonly kind: 'put'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'cut'; readonly length: number }
)
type File = { readonly kind: 'file'; readonly mode: number; kept: Buffer; pending: Change[]; cursor: number | 'end'; length: number }
type Renaming = { readonly done: number; readonly apply: (entries: Map<string, Node>) => void }
type Directory = {
  readonly kind: 'directory'
  readonly mode: number
  readonly kept: Map<string, Node>
  readonly now: Map<string, Node>
  pending: Renaming[]
}
type Node = File | Directory

const SECTOR = 512 // what a disk writes whole

export class PowerCut {
  private readonly folder = mkdtempSync(join(tmpdir(), 'power-'))
  private readonly trace = join(this.folder, 'trace')
  private readonly root: Directory

  /** What is in the directory now is taken as kept. Nobody may be at work in it. */
  constructor(private readonly home: string) {
    this.root = readDirectory(home)
  }

  /** Null where it works; otherwise why power cannot be cut here. */
  static obstacle(): string | null {
    const { error, status, stderr } = spawnSync('strace', ['--seccomp-bpf', '-f', '-o', '/dev/null', '-e', 'trace=fsync', 'true'], {
      encoding: 'utf8',
    })
    return status === 0 ? null : `strace cannot be used here: ${error?.message ?? stderr}`
  }

  get tracer(): readonly string[] {
    return strace(this.trace)
  }

  /** Replaces the directory by what a disk might hold of it. Says how. */
  restore(random: Random): string {
    for (const call of readTrace(readFileSync(this.trace, 'latin1'))) this.take(call)
    const share = random.pick([0, 0, 0.5, 0.9]) ?? 0
    for (const name of readdirSync(this.home)) rmSync(join(this.home, name), { recursive: true, force: true })
    writeDirectory(this.home, this.root, { random, share })
    return share === 0 ? 'only what was synced' : `what was synced, and ${share} of the rest`
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private take(call: Call): void {
    switch (call.kind) {
      case 'open':
        return this.open(call)
      case 'write':
        return this.write(call)
      case 'truncate':
        return this.truncate(call)
      case 'sync':
        return this.sync(call)
      case 'rename':
        return this.rename(call)
      case 'remove':
        return this.link(call.path, call.done, null)
      case 'makeDirectory':
        return this.link(call.path, call.done, { kind: 'directory', mode: 0o700, kept: new Map(), now: new Map(), pending: [] })
    }
  }

  private open({ path, done, creates, truncates, appends }: Extract<Call, { kind: 'open' }>): void {
    if (this.find(path) === null && creates) this.link(path, done, emptyFile())
    const file = this.find(path)
    if (file?.kind !== 'file') return
    if (truncates && file.length > 0) put(file, { kind: 'cut', done, length: 0 })
    file.cursor = appends ? 'end' : 0
  }

  private write({ path, done, bytes, at }: Extract<Call, { kind: 'write' }>): void {
    const file = this.find(path)
    if (file?.kind !== 'file') return
    const offset = at ?? (file.cursor === 'end' ? file.length : file.cursor)
    put(file, { kind: 'put', done, at: offset, bytes })
    if (at === null && file.cursor !== 'end') file.cursor = offset + bytes.length
  }

  private truncate({ path, done, length }: Extract<Call, { kind: 'truncate' }>): void {
    const file = this.find(path)
    if (file?.kind === 'file') put(file, { kind: 'cut', done, length })
  }

  /** It promises what was done before it began. */
  private sync({ path, begun }: Extract<Call, { kind: 'sync' }>): void {
    const node = this.find(path)
    if (node === null) return
    const isPromised = ({ done }: { readonly done: number }): boolean => done < begun
    if (node.kind === 'file') {
      node.kept = node.pending.filter(isPromised).reduce(changed, node.kept)
      node.pending = node.pending.filter((change) => !isPromised(change))
    } else {
      for (const { apply } of node.pending.filter(isPromised)) apply(node.kept)
      node.pending = node.pending.filter((change) => !isPromised(change))
    }
  }

  private rename({ path, to, done }: Extract<Call, { kind: 'rename' }>): void {
    const [node, from, into] = [this.find(path), this.directory(path), this.directory(to)]
    if (node === null || from === null || into === null) return
    if (from !== into) {
      this.link(path, done, null)
      return this.link(to, done, node)
    }
    rearrange(into, done, (entries) => {
      entries.delete(basename(path))
      entries.set(basename(to), node)
    })
  }

  private link(path: string, done: number, node: Node | null): void {
    const directory = this.directory(path)
    if (directory === null) return
    rearrange(directory, done, (entries) => {
      if (node === null) entries.delete(basename(path))
      else entries.set(basename(path), node)
    })
  }

  private directory(path: string): Directory | null {
    const found = this.find(dirname(path))
    return found?.kind === 'directory' ? found : null
  }

  private find(path: string): Node | null {
    if (path === this.home) return this.root
    if (!path.startsWith(`${this.home}/`)) return null
    let node: Node | undefined = this.root
    for (const name of path.slice(this.home.length + 1).split('/')) node = node?.kind === 'directory' ? node.now.get(name) : undefined
    return node ?? null
  }
}

const emptyFile = (): File => ({ kind: 'file', mode: 0o600, kept: Buffer.alloc(0), pending: [], cursor: 0, length: 0 })

function put(file: File, change: Change): void {
  file.pending.push(change)
  file.length = change.kind === 'cut' ? change.length : Math.max(file.length, change.at + change.bytes.length)
}

function changed(before: Buffer, change: Change): Buffer {
  const after = Buffer.alloc(change.kind === 'cut' ? change.length : Math.max(before.length, change.at + change.bytes.length))
  before.copy(after)
  if (change.kind === 'put') change.bytes.copy(after, change.at)
  return after
}

function rearrange(directory: Directory, done: number, apply: (entries: Map<string, Node>) => void): void {
  apply(directory.now)
  directory.pending.push({ done, apply })
}

function readDirectory(path: string): Directory {
  const entries = new Map<string, Node>()
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) entries.set(entry.name, readDirectory(inner))
    else if (entry.isFile()) entries.set(entry.name, readFile(inner))
  }
  return { kind: 'directory', mode: statSync(path).mode & 0o777, kept: new Map(entries), now: entries, pending: [] }
}

function readFile(path: string): File {
  const kept = readFileSync(path)
  return { kind: 'file', mode: statSync(path).mode & 0o777, kept, pending: [], cursor: 0, length: kept.length }
}

type Luck = { readonly random: Random; readonly share: number }

/** Names are journaled in order, so that some of the newest are missing; bytes are written in any order. */
function writeDirectory(path: string, directory: Directory, luck: Luck): void {
  const lucky = luck.share === 0 ? 0 : luck.random.below(directory.pending.length + 1)
  for (const { apply } of directory.pending.slice(0, lucky)) apply(directory.kept)
  for (const [name, node] of directory.kept) {
    const inner = join(path, name)
    if (node.kind === 'file') writeFileSync(inner, contentOf(node, luck), { mode: node.mode })
    else {
      mkdirSync(inner, { mode: node.mode })
      writeDirectory(inner, node, luck)
    }
  }
  chmodSync(path, directory.mode)
}

function contentOf({ kept, pending }: File, { random, share }: Luck): Buffer {
  const lucky = pending.filter(() => random.chance(share))
  return lucky.map((change) => (random.chance(0.3) ? torn(change, random) : change)).reduce(changed, kept)
}

function torn(change: Change, random: Random): Change {
  if (change.kind === 'cut') return change
  const sectors = Math.ceil(change.bytes.length / SECTOR)
  return { ...change, bytes: change.bytes.subarray(0, SECTOR * (1 + random.below(sectors))) }
}
