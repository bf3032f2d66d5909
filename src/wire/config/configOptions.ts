/**
 * Every option of config.toml, in the order it is shown: type, default, bounds and one sentence. Names are written
 * in camelCase here and in snake_case in the file.
 */

import { AGENTS } from '../../agents/programs/all.ts'
import { WAKE_POLICIES } from '../../workspace/checkpoint/planRestoreWakes.ts'
import { parseResumeTable } from '../../workspace/terminal/resume.ts'
import { SIZE_POLICIES } from '../../workspace/terminal/sizing.ts'
import { BACKENDS, PROGRAM_GRANTS } from '../../workspace/terminal/terminal.ts'
import {
  agents,
  flag,
  GIB,
  isKeySequence,
  KIB,
  list,
  MIB,
  type Option,
  oneOf,
  type Section,
  size,
  table,
  text,
  whole,
} from './configKinds.ts'
import { PAGE_OPTIONS } from './configPage.ts'

export const OPTIONS = {
  shell: text({
    default: '',
    bounds: 'a program by name or path, or empty',
    pattern: /^[^\0-\x1f\x7f]{0,4096}$/,
    sentence: 'The default program of a new terminal. Empty: your login shell.',
  }),
  size: size({ default: { cols: 120, rows: 40 }, sentence: 'Columns and rows of a new terminal until a client shows it.' }),
  sizePolicy: oneOf({
    default: 'last-typed',
    choices: SIZE_POLICIES,
    sentence: 'Which window decides the size of a terminal: the one last typed in, the smallest visible one, or none.',
  }),
  scrollbackLines: whole({
    default: 2_000,
    min: 100,
    max: 50_000,
    sentence: 'Lines of history that each live terminal keeps in memory. 1000 lines take about 3 MB.',
  }),
  logBytes: whole({
    default: 8 * MIB,
    min: 256 * KIB,
    max: GIB,
    sentence: 'Output of each run to keep on disk, in bytes. The oldest output is deleted first.',
  }),
  logTotalBytes: whole({
    default: GIB,
    min: 8 * MIB,
    max: 1_024 * GIB,
    sentence: 'Output of all runs to keep on disk, in bytes. The oldest output of ended programs is deleted first.',
  }),
  snapshotIntervalS: whole({
    default: 5,
    min: 1,
    max: 3_600,
    needsRestart: true,
    sentence: 'Seconds between saves of a changed screen. A power cut loses at most this much of it.',
  }),
  settleMs: whole({
    default: 2_500,
    min: 0,
    max: 60_000,
    sentence: 'Time that a program gets to quit before it is killed.',
  }),
  backend: oneOf({
    default: 'holder',
    choices: BACKENDS,
    sentence: 'What holds the programs of new terminals: a small Holdfast process each, or a hidden tmux (3.3 or newer).',
  }),
  logLevel: oneOf({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
    sentence: 'How much the daemon writes to its log.',
  }),
  env: {
    allow: list({
      default: [],
      bounds: 'names; a * at the end matches any rest',
      pattern: /^[A-Za-z_][A-Za-z0-9_]*\*?$/,
      sentence: 'More environment variables for programs to inherit, such as "MY_TOKEN" or "ACME_*".',
    }),
  },
  programs: {
    may: oneOf({
      default: 'report',
      choices: PROGRAM_GRANTS,
      sentence:
        'What a program may do through HOLDFAST_SOCKET: report on its own terminal, also read it, also type into it, or everything.',
    }),
  },
  checkpoints: {
    intervalS: whole({
      default: 60,
      min: 1,
      max: 86_400,
      sentence: 'Seconds between automatic checkpoints, if something changed. A change of the layout is saved sooner.',
    }),
    debounceMs: whole({
      default: 1_000,
      min: 10,
      max: 60_000,
      sentence: 'Time to wait after a change of the layout before it is saved.',
    }),
    count: whole({
      default: 50,
      min: 3,
      max: 10_000,
      sentence: 'Number of checkpoints to keep. The oldest are deleted first, incomplete ones before good ones.',
    }),
    days: whole({
      default: 14,
      min: 1,
      max: 3_650,
      sentence: 'Days to keep a checkpoint. One that you saved is kept six times as long; the newest good ones are always kept.',
    }),
  },
  restore: {
    policy: oneOf({
      default: 'manual',
      choices: WAKE_POLICIES,
      sentence: 'What to wake automatically after a crash or a power cut: nothing, shells, agents, or everything.',
    }),
    staggerMs: whole({
      default: 500,
      min: 0,
      max: 60_000,
      sentence: 'Pause between two automatic wakes. The last viewed terminal is woken first.',
    }),
    most: whole({ default: 20, min: 0, max: 1_000, sentence: 'Most terminals to wake automatically.' }),
  },
  sleep: {
    idleS: whole({
      default: 0,
      min: 0,
      max: 31_536_000,
      sentence:
        'Idle time after which an unwatched terminal that would lose nothing is put to sleep. 0: never. Pinned and private terminals stay awake.',
    }),
    memoryPercent: whole({
      default: 0,
      min: 0,
      max: 90,
      sentence:
        'Percentage of available memory below which such terminals are put to sleep, the longest idle first, if idle for ten minutes. 0: never. Linux only.',
    }),
  },
  repositories: {
    trusted: list({
      default: [],
      bounds: 'absolute paths of directories, or paths from ~',
      pattern: /^(\/|~$|~\/)[^\0-\x1f\x7f]*$/,
      sentence:
        'Repositories in these directories may run their hooks and filters, and fetch missing objects, when Holdfast creates a worktree. Reading a repository never runs anything.',
    }),
    pullRequests: flag({
      default: false,
      sentence:
        'Ask gh for the pull request of a branch when a terminal is put to sleep. gh asks GitHub over the network, at most every ten minutes per branch.',
    }),
  },
  health: {
    intervalS: whole({
      default: 30,
      min: 1,
      max: 3_600,
      sentence: 'Seconds between health checks of every holder and every part of the daemon. One that does not answer is checked sooner.',
    }),
    deadlineMs: whole({
      default: 5_000,
      min: 100,
      max: 60_000,
      sentence: 'Time to answer a health check. After three misses in a row it counts as dead.',
    }),
  },
  attach: {
    detach: text({
      default: 'C-\\ C-\\',
      bounds: 'one to four keys such as C-c, M-x, F5, separated by spaces',
      accepts: isKeySequence,
      sentence: 'The keys that detach from a terminal, pressed one after the other.',
    }),
    escape: text({
      default: '~.',
      bounds: 'a character and a period, or empty',
      pattern: /^([!-~]\.)?$/,
      sentence: 'Text that detaches when typed at the beginning of a line, as in ssh. Empty: disabled.',
    }),
    scroll: text({
      default: 'C-\\ [',
      bounds: 'one to four keys such as C-c, M-x, F5, separated by spaces, or empty',
      accepts: (keys) => keys === '' || isKeySequence(keys),
      sentence: 'The keys that start scrolling while attached; PageUp as the last key works too. Empty: disabled.',
    }),
    history: whole({
      default: 1_000,
      min: 0,
      max: 50_000,
      sentence: 'Older lines that attach prints first, for the scrollback of your own terminal.',
    }),
  },
  web: {
    enabled: flag({ default: true, needsRestart: true, sentence: 'Serve the page, on this machine only.' }),
    port: whole({ default: 4_653, min: 0, max: 65_535, needsRestart: true, sentence: 'The port of the page. 0: any free port.' }),
    hosts: list({
      default: [],
      bounds: 'host names, each with its port unless it is the default',
      pattern: /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/i,
      needsRestart: true,
      sentence: 'More host names for the page: of your HTTPS proxy, or localhost:PORT for the end of a tunnel.',
    }),
    trustedUids: list({
      default: [],
      bounds: 'user ids such as "33"',
      pattern: /^\d{1,10}$/,
      needsRestart: true,
      sentence: 'Other users of this machine whose programs may connect to the page, such as the user of a proxy. Linux only.',
    }),
  },
  devices: {
    expireDays: whole({
      default: 30,
      min: 1,
      max: 3_650,
      sentence: 'Days without use after which a browser must log in again.',
    }),
  },
  page: PAGE_OPTIONS,
  resume: table({
    default: {},
    bounds: 'the name of a command, and the arguments that resume it',
    parse: (raw) => {
      const parsed = parseResumeTable(raw)
      if (parsed.ok) return { ok: true, value: parsed.table }
      return { ok: false, faults: parsed.problems.map(({ command, why }) => ({ key: command, why })) }
    },
    sentence:
      'Arguments that resume a command whose conversation is not known. Without an entry, an agent starts a new conversation and any other command starts fresh.',
  }),
  agents: agents({
    default: AGENTS,
    bounds: 'as in mine = { recognise = ["mine"], resume = ["--resume", "{id}"], latest = ["--continue"], quit_keys = "C-c C-c" }',
    sentence: 'Your own agents, or changes to known ones: how each is recognized, resumed and quit.',
  }),
  search: {
    enabled: flag({ default: true, sentence: 'Index the text of all terminals, except private ones, for holdfast search.' }),
    maxBytes: whole({
      default: 256 * MIB,
      min: 4 * MIB,
      max: 64 * GIB,
      sentence: 'Size of the search index on disk, in bytes. The oldest lines are deleted first.',
    }),
  },
} as const satisfies Section

type Values<Table> = { readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : Values<Table[Name]> }
export type Config = Values<typeof OPTIONS>
