/** Every help text and every refusal is checked in as text, so that a change of words is read in review. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { refusals } from '../base/refusal.ts'
import { optionsOf, type Verb } from './core/verb.ts'
import { parse } from './program.ts'
import { refusalText } from './text/refusalText.ts'
import { verb as root } from './verbs/root.ts'
import { loadAllVerbs } from './verbs.ts'

const COLUMNS = 100
const LONGEST_HELP = 60 // characters: a help line fits beside the command it explains
const LONGEST_DETAIL = 90
const isWritten = process.env['UPDATE_WORDS'] === '1'
const RENEW = 'UPDATE_WORDS=1 npx vitest run --project unit src/cli/words.test.ts'

/** Each call is an example of one refusal. A refusal without an example does not compile. */
const EXAMPLES: { readonly [Name in keyof typeof refusals]: readonly Parameters<(typeof refusals)[Name]>[] } = {
  deviceNotFound: [['laptop']],
  deviceAmbiguous: [['d3', ['d3k', 'd3q']]],
  pageOff: [['port 7423 is in use.']],
  terminalNotFound: [['api']],
  nothingToReopen: [[]],
  closedNotFound: [['api']],
  reopenTooLate: [['api']],
  notClosed: [['api']],
  terminalAmbiguous: [['t3', ['t3k', 't3q']]],
  nothingKnownOf: [['api']],
  forgetRunning: [['api']],
  forgetUnfinished: [['the disk is full']],
  forgetFuture: [[]],
  workspaceNotFound: [['side']],
  workspaceAmbiguous: [['w1', ['w12', 'w13']]],
  workspaceNotEmpty: [['side']],
  workspaceNameTaken: [['side']],
  workspaceOther: [['api', 'side']],
  workspaceLast: [['main']],
  schemeNotFound: [['neon', ['paper', 'ink']]],
  groupNotFound: [['work']],
  groupNotEmpty: [['work']],
  splitNotFound: [[[]], [[1, 0]]],
  splitParts: [[3, 2]],
  groupLast: [['work']],
  checkpointNotFound: [
    ['latest', 0],
    ['c8f', 12],
  ],
  checkpointAmbiguous: [['c8', ['c8f', 'c8k']]],
  checkpointDamaged: [['c8f', 'its manifest is not valid']],
  checkpointNewestGood: [['c8f']],
  checkpointScreenMissing: [['c8f', 'api', 'it was private']],
  exportExists: [['desk.holdfast']],
  exportFailed: [['desk.holdfast', 'no space left on the device']],
  importUnusable: [['desk.holdfast', 'it is not an export of Holdfast']],
  importSealed: [['desk.holdfast']],
  passphraseWrong: [['desk.holdfast']],
  passphraseExposed: [['passphrase.txt']],
  passphraseUnusable: [['it is empty']],
  importedUnconfirmed: [['api', 'laptop']],
  nameTaken: [['api']],
  nameInvalid: [['t3k']],
  cwdMissing: [['/home/me/api']],
  cwdNotDirectory: [['/home/me/api.txt']],
  commandNotFound: [['nmp']],
  commandNotExecutable: [['./run']],
  sizeInvalid: [['12']],
  notLive: [['t3k', 'asleep']],
  alreadyLive: [['t3k']],
  wouldLose: [['t3k', 'sleep is running and would be ended']],
  busy: [['t3k', 'waking']],
  holderUnreachable: [['t3k', 'the connection was refused']],
  holderIncompatible: [['t3k', '9']],
  tmuxUnusable: [['tmux was not found']],
  tmuxNoServer: [['/tmp/tmux-1000/default']],
  tmuxForeign: [['/tmp/tmux-1000/default', 'it belongs to another user']],
  tmuxSessionUnknown: [['work', '/tmp/tmux-1000/default']],
  tmuxSessionInvalid: [['a:b']],
  tmuxOurs: [[]],
  nothingToAdopt: [['every pane is a guest already']],
  guestSize: [['t3k']],
  guestConversation: [['t3k']],
  startFailed: [['too many open files']],
  resumeFailed: [['t3k', 'it ended with code 1']],
  conversationGone: [['t3k', 'Claude Code', '6f1c']],
  resumeUnsure: [
    ['t3k', { ran: 'make agent', instead: 'claude --resume 6f1c', why: 'make is not a known wrapper', isOffered: true }],
    ['t3k', { ran: 'make agent', instead: 'claude', why: 'make is not a known wrapper', isOffered: false }],
  ],
  conversationNotCertain: [['t3k', 'two conversations changed at the same time']],
  conversationTaken: [['6f1c', 't9q']],
  conversationInvalid: [['-x']],
  conversationNotOf: [['abc', 'Claude Code']],
  conversationUnsupported: [['htop', ['claude', 'codex']]],
  hooksUnsupported: [['aider', ['claude', 'codex']]],
  hooksUnusable: [['settings.json', 'is not JSON']],
  hooksFailed: [['settings.json', 'permission denied']],
  agentNotFound: [['Claude Code', '/home/me/.claude']],
  recoveryAnswered: [[]],
  serviceUnsupported: [[]],
  serviceUnanswered: [['systemctl', 'Failed to connect to bus']],
  serviceNotWritten: [['holdfast.service', 'permission denied']],
  gitMissing: [[]],
  gitFailed: [['worktree add', 'could not create directory']],
  repositoryUntrusted: [['/home/me/api', 'it has a post-checkout hook']],
  repositoryNotFound: [['/tmp']],
  repositoryEmpty: [['/home/me/api']],
  branchInvalid: [['a..b']],
  branchTaken: [['fix/login', '/home/me/api']],
  branchHalfMade: [['fix/login', '/home/me/api-worktrees/fix-login']],
  branchExists: [['fix/login']],
  baseUnknown: [['mian']],
  worktreeInside: [['/home/me/api/wt', '/home/me/api']],
  worktreeExists: [['/home/me/api-worktrees/fix']],
  worktreeBusy: [['/home/me/api-worktrees/fix']],
  worktreeHalfMade: [['/home/me/api-worktrees/fix']],
  diskFailed: [['no space left on the device']],
  fileTooLarge: [[64 << 20]],
  fileTorn: [[]],
  filesBusy: [[]],
  fileNotWritten: [['no space left on the device']],
  historyUnreadable: [['a segment is damaged']],
  patternInvalid: [['(', 'unterminated group']],
  keyUnknown: [['Entr']],
  paramsInvalid: [['size.cols is too large']],
  commandUnknown: [['terminal.fly']],
  timeout: [['the text did not appear within 5 s']],
  programEnded: [['t3k', 'code 1']],
  lockHeld: [['/home/me/.holdfast/daemon.lock']],
  daemonRunning: [[4711]],
  daemonUnreachable: [['the connection was refused']],
  daemonVersion: [[3, 4]],
  homeUnusable: [['/srv', 'other users may write to it']],
  storeNewer: [['holdfast.db']],
  configInvalid: [['config.toml, line 3: page.theme must be "dark", "light" or "system".']],
  optionRefused: [['page.theme must be "dark", "light" or "system".']],
  programMayNot: [['t3k', 'read', 'control']],
  viewerMayNot: [[]],
  socketNotOurs: [['/tmp/holdfast.sock', 'it belongs to another user']],
  notAllowed: [['This link was used already.']],
  failed: [['Saving', 'the disk is full']],
  daemonNotRunning: [[]],
  logMissing: [['/home/me/.holdfast/daemon.log']],
  attachToSelf: [['t3k']],
  usage: [['unknown option --jsno', 'holdfast ls --help']],
  unexpected: [['x is undefined']],
  notKept: [['t3k']],
  argumentsNotStored: [
    ['api', 'npm', { args: 2, env: 1 }],
    ['api', 'npm', { args: 1, env: 0 }],
  ],
  notSearched: [['t3k']],
  searchOff: [[]],
  searchEmpty: [['--']],
  searchFailed: [['the database is locked']],
  timeInvalid: [['soon']],
  spanInvalid: [['soon']],
  tooManyClients: [[256]],
  tooManyRequests: [[64]],
  tooManyChannels: [[64]],
  tooManyWaits: [[64]],
  patternTooSlow: [['(a+)+b']],
  overloaded: [['the disk is full']],
  stopping: [[]],
  clipboardClosed: [[]],
}

describe('the words that users read', () => {
  it('are those of help.txt', async () => expectReviewed('help.txt', (await helpTexts()).join(`\n${'-'.repeat(COLUMNS)}\n\n`)))

  it('are short in help: a summary with a period, an option without', async () => {
    const wrong: string[] = []
    const visit = (verb: Verb): void => {
      if (!/^[A-Z].*\.$/.test(verb.summary) || verb.summary.length > LONGEST_HELP) wrong.push(`${verb.name}: ${verb.summary}`)
      for (const { flags, help } of optionsOf(verb))
        if (!/^[a-z].*[^.]$/.test(help) || help.length > LONGEST_HELP) wrong.push(`${verb.name} ${flags}: ${help}`)
      for (const line of verb.details ?? []) if (line.length > LONGEST_DETAIL) wrong.push(`${verb.name}: ${line}`)
      for (const child of verb.verbs ?? []) visit(child)
    }
    for (const verb of [root, ...(await loadAllVerbs())]) visit(verb)
    expect(wrong).toEqual([])
  })

  it('are those of refusals.txt', () => expectReviewed('refusals.txt', refusalTexts().join('\n')))
})

async function helpTexts(): Promise<readonly string[]> {
  const verbs = await loadAllVerbs()
  const texts = [help(verbs, [])]
  const visit = (path: readonly string[], verb: Verb): void => {
    texts.push(help(verbs, [...path, verb.name]))
    for (const child of verb.verbs ?? []) visit([...path, verb.name], child)
  }
  for (const verb of verbs) visit([], verb)
  return texts
}

function help(verbs: readonly Verb[], path: readonly string[]): string {
  let printed = ''
  const print = (text: string): void => {
    printed += text
  }
  const parsed = parse({ root, verbs, version: '1.2.3' }, [...path, '--help'], { print, columns: COLUMNS })
  if (parsed.kind !== 'shown') throw new Error(`no help for ${path.join(' ')}`)
  return `$ holdfast ${[...path, '--help'].join(' ')}\n${printed}`
}

function refusalTexts(): readonly string[] {
  return Object.entries(EXAMPLES).flatMap(([name, calls]) => {
    const make = refusals[name as keyof typeof refusals] as (...args: readonly unknown[]) => ReturnType<typeof refusals.stopping>
    return calls.map((call) => {
      const refusal = make(...call)
      return `[${refusal.code}] ${name}\n${refusalText(refusal)}\n`
    })
  })
}

function expectReviewed(name: string, text: string): void {
  const file = fileURLToPath(new URL(`../../test/fixtures/words/${name}`, import.meta.url))
  if (isWritten) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(text, `test/fixtures/words/${name} differs. If you meant the new words, run ${RENEW} and review the diff.`).toBe(
    readFileSync(file, 'utf8'),
  )
}
