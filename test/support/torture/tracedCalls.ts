/** What strace saw a process and its children do to files, in the order in which it was done. */

/** `begun` and `done` are moments: the numbers of lines in the trace. */
export type Call = { readonly begun: number; readonly done: number } & (
  | { readonly kind: 'open'; readonly path: string; readonly creates: boolean; readonly truncates: boolean; readonly appends: boolean }
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Buffer; readonly at: number | null }
  | { readonly kind: 'truncate'; readonly path: string; readonly length: number }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove' | 'makeDirectory'; readonly path: string }
)

const NAMES = [
  ...['open', 'openat', 'creat', 'write', 'pwrite64', 'writev', 'pwritev', 'pwritev2', 'fsync', 'fdatasync', 'sync_file_range'],
  ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'ftruncate', 'truncate', 'mkdir', 'mkdirat', 'rmdir', 'fallocate', 'link'],
]
/** Everything in hexadecimal, every file by its path, and every byte that is written. */
export const strace = (output: string): readonly string[] => [
  ...[
    'strace',
    '--seccomp-bpf',
    '-f',
    '-y',
    '-xx',
    '-s',
    '4000000',
    '-e',
    `trace=${NAMES.join()}`,
    '-e',
    'signal=none',
    '-o',
    output,
    '--',
  ],
]

/** A call that never returned has done nothing that can be relied on. One that took its time counts from when it was done. */
export function readTrace(text: string): Call[] {
  const calls: Call[] = []
  const unfinished = new Map<string, { readonly text: string; readonly begun: number }>()
  for (const [index, line] of text.split('\n').entries()) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const cut = / <unfinished \.\.\.>$/.exec(rest)
    if (cut !== null) {
      unfinished.set(pid, { text: rest.slice(0, cut.index), begun: index })
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest)
    const first = resumed === null ? null : (unfinished.get(pid) ?? null)
    const whole = first === null ? rest : first.text + rest.slice(resumed?.[0].length ?? 0)
    const call = decode(whole)
    if (call !== null) calls.push({ ...call, begun: first?.begun ?? index, done: index })
  }
  return calls
}

const STRING = '"((?:\\\\x[0-9a-f]{2})*)"(?:\\.\\.\\.)?'
const FILE = '\\d+<((?:\\\\x[0-9a-f]{2})*)>'
const LOOKS = {
  open: new RegExp(`^(?:open|openat|creat)\\((?:AT_FDCWD[^,]*, )?${STRING}(?:, ([A-Z_|]+))?`),
  write: new RegExp(`^write\\(${FILE}, ${STRING}`),
  writeAt: new RegExp(`^pwrite64\\(${FILE}, ${STRING}, \\d+, (\\d+)\\)`),
  gathered: new RegExp(`^(p?)writev2?\\(${FILE}, \\[(.*)\\], \\d+(?:, (\\d+))?`),
  sync: new RegExp(`^(?:fsync|fdatasync)\\(${FILE}\\)`),
  rename: new RegExp(`^rename(?:at2?)?\\((?:AT_FDCWD[^,]*, )?${STRING}, (?:AT_FDCWD[^,]*, )?${STRING}`),
  remove: new RegExp(`^(?:unlink|rmdir|unlinkat)\\((?:AT_FDCWD[^,]*, )?${STRING}`),
  makeDirectory: new RegExp(`^mkdir(?:at)?\\((?:AT_FDCWD[^,]*, )?${STRING}`),
  truncate: new RegExp(`^ftruncate\\(${FILE}, (\\d+)\\)`),
}
const PARTS = new RegExp(`iov_base=${STRING}`, 'g')

const bytesOf = (hex = ''): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const textOf = (hex = ''): string => bytesOf(hex).toString()

type Timeless<Each> = Each extends unknown ? Omit<Each, 'begun' | 'done'> : never

function decode(text: string): Timeless<Call> | null {
  const result = /= (-?\d+)/.exec(text.slice(text.lastIndexOf(')')))?.[1]
  if (result === undefined || result.startsWith('-')) return null
  const found = <Name extends keyof typeof LOOKS>(name: Name): RegExpExecArray | null => LOOKS[name].exec(text)
  const written = Number(result)
  const opened = found('open')
  if (opened !== null) {
    const flags = opened[2] ?? 'O_CREAT|O_TRUNC'
    const has = (flag: string): boolean => flags.split('|').includes(flag)
    return { kind: 'open', path: textOf(opened[1]), creates: has('O_CREAT'), truncates: has('O_TRUNC'), appends: has('O_APPEND') }
  }
  const plain = found('write')
  if (plain !== null) return { kind: 'write', path: textOf(plain[1]), bytes: bytesOf(plain[2]).subarray(0, written), at: null }
  const placed = found('writeAt')
  if (placed !== null)
    return { kind: 'write', path: textOf(placed[1]), bytes: bytesOf(placed[2]).subarray(0, written), at: Number(placed[3]) }
  const gathered = found('gathered')
  if (gathered !== null) {
    const bytes = Buffer.concat([...(gathered[3] ?? '').matchAll(PARTS)].map((part) => bytesOf(part[1]))).subarray(0, written)
    return { kind: 'write', path: textOf(gathered[2]), bytes, at: gathered[1] === 'p' ? Number(gathered[4]) : null }
  }
  const renamed = found('rename')
  if (renamed !== null) return { kind: 'rename', path: textOf(renamed[1]), to: textOf(renamed[2]) }
  const truncated = found('truncate')
  if (truncated !== null) return { kind: 'truncate', path: textOf(truncated[1]), length: Number(truncated[2]) }
  for (const kind of ['sync', 'remove', 'makeDirectory'] as const) {
    const one = found(kind)
    if (one !== null) return { kind, path: textOf(one[1]) }
  }
  return null
}
