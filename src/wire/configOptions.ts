/**
 * Every option of config.toml, in the order it is shown: type, default, bounds and one sentence. Names are written
 * in camelCase here and in snake_case in the file.
 */

import { AGENTS } from '../agents/all.ts'
import { WAKE_POLICIES } from '../workspace/planRestoreWakes.ts'
import { parseResumeTable } from '../workspace/resume.ts'
import { SIZE_POLICIES } from '../workspace/sizing.ts'
import { BACKENDS, PROGRAM_GRANTS } from '../workspace/terminal.ts'
import { agents } from './configAgents.ts'
import { flag, GIB, isKeySequence, KIB, list, MIB, type Option, oneOf, type Section, size, table, text, whole } from './configKinds.ts'
import { PAGE_OPTIONS } from './configPage.ts'

export const OPTIONS = {
  shell: text({
    default: '',
    bounds: 'a program by name or path, or empty',
    pattern: /^[^\0-\x1f\x7f]{0,4096}$/,
    sentence: 'The program of a new terminal that names none; empty means your login shell.',
  }),
  size: size({ default: { cols: 120, rows: 40 }, sentence: 'Columns and rows of a new terminal until somebody looks at it.' }),
  sizePolicy: oneOf({
    default: 'last-typed',
    choices: SIZE_POLICIES,
    sentence: 'Which of several windows on one terminal gives it its size: where was typed last, the smallest that is visible, or none.',
  }),
  scrollbackLines: whole({
    default: 2_000,
    min: 100,
    max: 50_000,
    sentence: 'How many lines above the screen each live terminal keeps in memory; a thousand take about 3 MB.',
  }),
  logBytes: whole({
    default: 8 * MIB,
    min: 256 * KIB,
    max: GIB,
    sentence: 'How much output of each run is kept on disk, in bytes; the oldest goes first.',
  }),
  logTotalBytes: whole({
    default: GIB,
    min: 8 * MIB,
    max: 1_024 * GIB,
    sentence: 'How much all runs together may take on disk, in bytes; the output of ended programs goes first, the oldest before.',
  }),
  snapshotIntervalS: whole({
    default: 5,
    min: 1,
    max: 3_600,
    needsRestart: true,
    sentence: 'A changed screen is kept every so many seconds; a power cut costs at most this much of it.',
  }),
  settleMs: whole({
    default: 2_500,
    min: 0,
    max: 60_000,
    sentence: 'How many milliseconds a program gets to finish before it is ended.',
  }),
  backend: oneOf({
    default: 'holder',
    choices: BACKENDS,
    sentence: 'Who holds the programs of new terminals: small processes of ours, or a tmux that nobody sees (3.3 or newer).',
  }),
  logLevel: oneOf({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error'],
    sentence: 'How much the daemon writes into its log.',
  }),
  env: {
    allow: list({
      default: [],
      bounds: 'names, each with a * at its end if it is a beginning',
      pattern: /^[A-Za-z_][A-Za-z0-9_]*\*?$/,
      sentence: 'Environment variables that programs inherit beyond the usual ones, such as "MY_TOKEN" or "ACME_*".',
    }),
  },
  programs: {
    may: oneOf({
      default: 'report',
      choices: PROGRAM_GRANTS,
      sentence:
        'What a program may do through HOLDFAST_SOCKET: report about its own terminal, also read it, also type into it, or everything.',
    }),
  },
  checkpoints: {
    intervalS: whole({
      default: 60,
      min: 1,
      max: 86_400,
      sentence:
        'A checkpoint of a workspace that changed is taken every so many seconds, beside those that follow each change of its structure.',
    }),
    debounceMs: whole({
      default: 1_000,
      min: 10,
      max: 60_000,
      sentence: 'How many milliseconds the structure must have been calm before a checkpoint of its change is taken.',
    }),
    count: whole({
      default: 50,
      min: 3,
      max: 10_000,
      sentence: 'How many checkpoints are kept; the oldest go first, the good ones never for others.',
    }),
    days: whole({
      default: 14,
      min: 1,
      max: 3_650,
      sentence: 'How many days a checkpoint is kept; one that you asked for six times as long, and the newest good ones for ever.',
    }),
  },
  restore: {
    policy: oneOf({
      default: 'manual',
      choices: WAKE_POLICIES,
      sentence: 'What is woken by itself after a crash or a power cut: nothing, shells, agents, or everything that was running.',
    }),
    staggerMs: whole({
      default: 500,
      min: 0,
      max: 60_000,
      sentence: 'How many milliseconds lie between two terminals that are woken by themselves; the one looked at last comes first.',
    }),
    most: whole({ default: 20, min: 0, max: 1_000, sentence: 'How many terminals are woken by themselves at most.' }),
  },
  sleep: {
    idleS: whole({
      default: 0,
      min: 0,
      max: 31_536_000,
      sentence:
        'A terminal that nobody looks at and that would lose nothing is put to sleep after so many idle seconds; 0: never. Pinned and private ones never are.',
    }),
    memoryPercent: whole({
      default: 0,
      min: 0,
      max: 90,
      sentence:
        'While less than this share of the memory is available, such terminals are put to sleep, the longest idle first, after ten minutes at least; 0: never. On Linux only.',
    }),
  },
  repositories: {
    trusted: list({
      default: [],
      bounds: 'directories, each from the root or from ~',
      pattern: /^(\/|~$|~\/)[^\0-\x1f\x7f]*$/,
      sentence:
        'Repositories in these directories may run their own hooks and filters, and fetch what they lack, when Holdfast makes a worktree of them. Looking at a repository never runs anything of it.',
    }),
    pullRequests: flag({
      default: false,
      sentence:
        'Whether gh is asked for the pull request of a branch when a terminal is put to sleep; it asks GitHub over the network, for each branch every ten minutes at most.',
    }),
  },
  health: {
    intervalS: whole({
      default: 30,
      min: 1,
      max: 3_600,
      sentence: 'Every holder and every part of the daemon is looked at every so many seconds; what does not answer sooner.',
    }),
    deadlineMs: whole({
      default: 5_000,
      min: 100,
      max: 60_000,
      sentence: 'How many milliseconds it has to answer; after three times in a row without an answer it counts as dead.',
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
      bounds: 'a character and a full stop, or empty',
      pattern: /^([!-~]\.)?$/,
      sentence: 'What detaches when typed at the beginning of a line, as in ssh; empty switches it off.',
    }),
    scroll: text({
      default: 'C-\\ [',
      bounds: 'one to four keys such as C-c, M-x, F5, separated by spaces, or empty',
      accepts: (keys) => keys === '' || isKeySequence(keys),
      sentence: 'The keys that scroll through older lines while attached; PageUp in place of the last one does too. Empty switches it off.',
    }),
    history: whole({
      default: 1_000,
      min: 0,
      max: 50_000,
      sentence: 'How many older lines attach paints above the screen, once, for the scrollback of your own terminal.',
    }),
  },
  web: {
    enabled: flag({ default: true, needsRestart: true, sentence: 'Whether the daemon serves the page, on this machine only.' }),
    port: whole({ default: 4_653, min: 0, max: 65_535, needsRestart: true, sentence: 'The port of the page; 0 takes any that is free.' }),
    hosts: list({
      default: [],
      bounds: 'host names, each with its port unless it is the usual one',
      pattern: /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/i,
      needsRestart: true,
      sentence:
        'Further names under which the page may be opened: of a proxy of yours that speaks HTTPS, or localhost:PORT for the end of a tunnel.',
    }),
    trustedUids: list({
      default: [],
      bounds: 'user ids such as "33"',
      pattern: /^\d{1,10}$/,
      needsRestart: true,
      sentence: 'Other users of this machine whose programs may connect to the page, such as the user of a proxy; on Linux only.',
    }),
  },
  devices: {
    expireDays: whole({
      default: 30,
      min: 1,
      max: 3_650,
      sentence: 'A browser that was not used for so many days must log in again.',
    }),
  },
  page: PAGE_OPTIONS,
  resume: table({
    default: {},
    bounds: 'the last part of a command, and the arguments that make it go on where it was',
    parse: (raw) => {
      const parsed = parseResumeTable(raw)
      if (parsed.ok) return { ok: true, value: parsed.table }
      return { ok: false, faults: parsed.problems.map(({ command, why }) => ({ key: command, why })) }
    },
    sentence:
      'Arguments that resume a command whose conversation is not known. Without an entry, an agent begins a new conversation and any other command starts as at first.',
  }),
  agents: agents({
    default: AGENTS,
    bounds: 'as in mine = { recognise = ["mine"], resume = ["--resume", "{id}"], latest = ["--continue"], quit_keys = "C-c C-c" }',
    sentence: 'Agents of your own, or what is different with a known one: how it is recognised, resumed and left.',
  }),
  search: {
    enabled: flag({ default: true, sentence: 'Whether the text of all terminals is indexed for holdfast search; private ones never are.' }),
    maxBytes: whole({
      default: 256 * MIB,
      min: 4 * MIB,
      max: 64 * GIB,
      sentence: 'How much the index may take on disk, in bytes; the oldest lines go first.',
    }),
  },
} as const satisfies Section

type Values<Table> = { readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : Values<Table[Name]> }
export type Config = Values<typeof OPTIONS>
