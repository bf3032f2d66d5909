/**
 * src/base: words that every folder shares. Ids, refusals, sizes, UTF-8, reasons of the system. Nothing comes in: no library, no
 * folder. A refusal is an expected "no": a value with a code that programs can rely on, a sentence for people, and a hint that says
 * what to do next. Everything that the product refuses is in this one table; start reading here.
 */
import { AGENT_REFUSALS, no } from './agentRefusals.ts'

export type Refusal = { readonly code: RefusalCode; readonly message: string; readonly hint: string }
export type Result<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal }

export const done = <Value>(value: Value): Result<Value> => ({ ok: true, value })
export const refused = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({ ok: false, refusal })

/** As in `its 2 arguments and 1 variable were`. */
function countedWords(args: number, env: number): string {
  const counted = (count: number, word: string): string[] => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])
  return `${[...counted(args, 'argument'), ...counted(env, 'variable')].join(' and ')} ${args + env === 1 ? 'was' : 'were'}`
}

export const refusals = {
  deviceNotFound: (ref: string) => no('device-not-found', `There is no device "${ref}".`, 'Run holdfast auth ls to see ids and names.'),
  deviceAmbiguous: (ref: string, matches: readonly string[]) =>
    no('device-ambiguous', `"${ref}" matches several devices: ${matches.join(', ')}.`, 'Type more of the id.'),
  pageOff: (why: string) =>
    no('page-off', `The page is not available: ${why}`, 'Check [web] in config.toml, then run holdfast daemon restart.'),
  terminalNotFound: (ref: string) => no('terminal-not-found', `There is no terminal "${ref}".`, 'Run holdfast ls to see ids and names.'),
  nothingToReopen: () =>
    no(
      'nothing-to-reopen',
      'No terminal was closed in the last five minutes.',
      'To go back further, run holdfast checkpoint ls and holdfast restore.',
    ),
  closedNotFound: (ref: string) =>
    no(
      'closed-not-found',
      `No terminal "${ref}" was closed in the last five minutes.`,
      'Run holdfast reopen --list to see which were. To go back further, run holdfast restore.',
    ),
  reopenTooLate: (ref: string) =>
    no(
      'reopen-too-late',
      `cannot reopen "${ref}": it was closed more than five minutes ago.`,
      'To go back further, run holdfast checkpoint ls and holdfast restore.',
    ),
  notClosed: (ref: string) => no('not-closed', `cannot reopen "${ref}": it is not closed.`, 'Run holdfast ls to see it.'),
  terminalAmbiguous: (ref: string, matches: readonly string[]) =>
    no('terminal-ambiguous', `"${ref}" matches several terminals: ${matches.join(', ')}.`, 'Type more of the id.'),
  nothingKnownOf: (ref: string) =>
    no(
      'nothing-known-of',
      `cannot forget "${ref}": there is no such terminal.`,
      'Run holdfast ls to see the terminals, or holdfast checkpoint show to see former ones.',
    ),
  forgetRunning: (terminal: string) =>
    no('forget-running', `cannot forget "${terminal}": it is running.`, 'Close it first, or use --force to end its program.'),
  forgetUnfinished: (why: string) =>
    no('forget-unfinished', `Not everything is forgotten yet: ${why}.`, 'Run holdfast daemon status for details.'),
  forgetFuture: () => no('forget-future', 'cannot forget: the time is in the future.', 'Give a time in the past.'),
  workspaceNotFound: (ref: string) =>
    no('workspace-not-found', `There is no workspace "${ref}".`, 'Run holdfast workspace ls to see ids and names.'),
  workspaceAmbiguous: (ref: string, matches: readonly string[]) =>
    no('workspace-ambiguous', `"${ref}" matches several workspaces: ${matches.join(', ')}.`, 'Type more of the id.'),
  workspaceNotEmpty: (name: string) =>
    no(
      'workspace-not-empty',
      `cannot close workspace "${name}": it still has terminals.`,
      'Close them, or move them with --move-to WORKSPACE.',
    ),
  workspaceNameTaken: (name: string) => no('workspace-name-taken', `There is already a workspace "${name}".`, 'Choose another name.'),
  workspaceOther: (terminal: string, workspace: string) =>
    no(
      'workspace-other',
      `The terminal "${terminal}" is not in the workspace "${workspace}".`,
      'Omit --to to use the workspace that it is in.',
    ),
  workspaceLast: (name: string) => no('workspace-last', `cannot close workspace "${name}": it is the only one.`, 'Add another one first.'),
  schemeNotFound: (name: string, known: readonly string[]) =>
    no('scheme-not-found', `There is no color theme "${name}".`, `Choose one of ${known.join(', ')}.`),
  groupNotFound: (ref: string) => no('group-not-found', `There is no group "${ref}".`, 'Run holdfast group ls to see ids and names.'),
  groupNotEmpty: (name: string) =>
    no('group-not-empty', `cannot close group "${name}": it still has workspaces.`, 'Move or remove them first.'),
  splitNotFound: (path: readonly number[]) =>
    no(
      'split-not-found',
      path.length === 0 ? 'There is no split there.' : `There is no split at ${path.map((part) => part + 1).join('.')}.`,
      'The layout may have changed; run holdfast group ls --json to see it.',
    ),
  splitParts: (parts: number, sizes: number) =>
    no('split-parts', `The split has ${parts} parts, but you gave ${sizes} sizes.`, 'Give one size for each part.'),
  groupLast: (name: string) => no('group-last', `cannot close group "${name}": it is the only one.`, 'Add another one first.'),
  checkpointNotFound: (ref: string, count: number) =>
    count === 0
      ? no('checkpoint-not-found', 'There is no checkpoint yet.', 'Run holdfast checkpoint create to save one now.')
      : no('checkpoint-not-found', `There is no checkpoint "${ref}".`, `Run holdfast checkpoint ls to see all ${count}.`),
  checkpointAmbiguous: (ref: string, matches: readonly string[]) =>
    no('checkpoint-ambiguous', `"${ref}" matches several checkpoints: ${matches.join(', ')}.`, 'Type more of the id.'),
  checkpointDamaged: (id: string, why: string) =>
    no('checkpoint-damaged', `The checkpoint ${id} cannot be used: ${why}.`, 'Choose another one; run holdfast checkpoint ls to see them.'),
  checkpointNewestGood: (id: string) =>
    no(
      'checkpoint-newest-good',
      `cannot delete ${id}: it is the newest good checkpoint, the default of a restore.`,
      'Use --force to delete it anyway.',
    ),
  checkpointScreenMissing: (id: string, terminal: string, why: string) =>
    no(
      'checkpoint-screen-missing',
      `The checkpoint ${id} has no screen of ${terminal}: ${why}.`,
      'Run holdfast checkpoint show to see which screens it has.',
    ),
  exportExists: (file: string) =>
    no('export-exists', `cannot export to ${file}: it already exists.`, 'Choose another name, or use --force to overwrite it.'),
  exportFailed: (file: string, why: string) =>
    no('export-failed', `cannot write ${file}: ${why}.`, 'Choose an existing directory with enough space.'),
  importUnusable: (file: string, why: string) =>
    no('import-unusable', `cannot import ${file}: ${why}.`, 'Nothing was changed. Use a file that holdfast export wrote.'),
  importSealed: (file: string) =>
    no(
      'import-sealed',
      `cannot open ${file}: it is sealed with a passphrase.`,
      'Run holdfast import in a terminal to type it, or use --passphrase-file.',
    ),
  passphraseWrong: (file: string) => no('passphrase-wrong', `The passphrase does not open ${file}.`, 'Nothing was changed. Try again.'),
  passphraseExposed: (file: string) =>
    no(
      'passphrase-exposed',
      `cannot use ${file}: other users can read or change it.`,
      `Run chmod 600 ${file}, and choose another passphrase if it was read.`,
    ),
  passphraseUnusable: (why: string) =>
    no('passphrase-unusable', `cannot use the passphrase: ${why}.`, 'Type it in a terminal, or give a file with --passphrase-file.'),
  importedUnconfirmed: (terminal: string, from: string) =>
    no(
      'imported-unconfirmed',
      `cannot wake "${terminal}" yet: it was imported from ${from} and its command is not confirmed.`,
      'Run holdfast wake ID in a terminal to see the command and confirm it, or use --trust.',
    ),
  nameTaken: (name: string) => no('name-taken', `There is already a terminal "${name}".`, 'Choose another name.'),
  nameInvalid: (name: string) =>
    no(
      'name-invalid',
      `"${name}" is not a valid name.`,
      'Use 1 to 64 characters, no control characters, and nothing that looks like an id.',
    ),
  cwdMissing: (cwd: string) => no('cwd-missing', `The directory ${cwd} does not exist.`, 'Create it, or choose another one with --cwd.'),
  cwdNotDirectory: (cwd: string) =>
    no('cwd-not-directory', `${cwd} is not a directory, or you have no permission to enter it.`, 'Choose another one with --cwd.'),
  commandNotFound: (command: string) => no('command-not-found', `The command "${command}" was not found.`, 'Check the spelling and PATH.'),
  commandNotExecutable: (command: string) => no('command-not-executable', `cannot execute "${command}".`, 'Check its permissions.'),
  sizeInvalid: (size: string) =>
    no('size-invalid', `"${size}" is not a terminal size.`, 'Write COLSxROWS, from 2x1 to 1000x1000, like 120x40.'),
  notLive: (id: string, why: string) =>
    no('not-live', `The terminal ${id} is not running: ${why}.`, `Run holdfast wake ${id} to start it again.`),
  alreadyLive: (id: string) => no('already-live', `The terminal ${id} is already running.`, `Run holdfast attach ${id} to see it.`),
  wouldLose: (terminal: string, losses: string) =>
    no('would-lose', `cannot sleep "${terminal}": ${losses}.`, 'Use --force to sleep it anyway.'),
  busy: (id: string, state: string) => no('busy', `The terminal ${id} is ${state}.`, 'Try again in a moment.'),
  holderUnreachable: (id: string, why: string) =>
    no(
      'holder-unreachable',
      `The terminal ${id} is running, but its holder does not answer: ${why}.`,
      'Run holdfast doctor for details. The program keeps running.',
    ),
  holderIncompatible: (id: string, speaks: string) =>
    no(
      'holder-incompatible',
      `cannot reach the terminal ${id}: its holder speaks protocol ${speaks} of another Holdfast version.`,
      'Use that version to reach it. Its program keeps running.',
    ),
  tmuxUnusable: (why: string) =>
    no('tmux-unusable', `cannot use tmux: ${why}.`, 'Install tmux 3.3 or newer, or omit --backend tmux. Run holdfast doctor for details.'),
  tmuxNoServer: (socket: string) =>
    no('tmux-no-server', `No tmux server answers on ${socket}.`, 'Start tmux first, or give its socket with --socket PATH.'),
  tmuxForeign: (socket: string, why: string) =>
    no(
      'tmux-foreign',
      `cannot use ${socket}: ${why}.`,
      'Holdfast connects only to your own tmux servers. tmux -L NAME puts its socket in a directory of yours.',
    ),
  tmuxSessionUnknown: (session: string, socket: string) =>
    no('tmux-session-unknown', `There is no tmux session "${session}" on ${socket}.`, 'Run tmux ls to see the sessions.'),
  tmuxSessionInvalid: (session: string) =>
    no(
      'tmux-session-invalid',
      `${JSON.stringify(session)} is not a valid name of a tmux session.`,
      'A name is not empty and has no : and no . in it. Run tmux ls to see the sessions.',
    ),
  tmuxOurs: () => no('tmux-ours', 'cannot adopt from this tmux: Holdfast itself runs its programs in it.', 'Run holdfast ls to see them.'),
  nothingToAdopt: (why: string) => no('nothing-to-adopt', `There is nothing to adopt: ${why}.`, 'Run holdfast ls to see the guests.'),
  guestSize: (terminal: string) =>
    no('guest-size', `cannot resize ${terminal}: it is a guest, and its own tmux decides its size.`, 'Resize it in tmux.'),
  guestConversation: (terminal: string) =>
    no(
      'guest-conversation',
      `cannot resume a conversation in ${terminal}: it is a guest of your tmux.`,
      'Run holdfast wake without --conversation to show it again.',
    ),
  ...AGENT_REFUSALS,
  recoveryAnswered: () =>
    no(
      'recovery-answered',
      'No interrupted terminal is left to wake.',
      'Run holdfast ls to see the terminals, and holdfast wake ID to wake one.',
    ),
  serviceUnsupported: () =>
    no(
      'service-unsupported',
      'cannot install a service: this system has neither systemd nor launchd.',
      'A service is optional: any command starts the daemon.',
    ),
  serviceUnanswered: (tool: string, why: string) =>
    no(
      'service-unanswered',
      `The service file is written, but ${tool} failed: ${why}.`,
      'Containers and su shells have no user services. Log in as yourself and try again.',
    ),
  serviceNotWritten: (file: string, why: string) =>
    no('service-not-written', `cannot write ${file}: ${why}.`, 'Check the permissions of its directory.'),
  gitMissing: () => no('git-missing', 'git was not found.', 'Install git, or start the daemon with a PATH that contains it.'),
  gitFailed: (what: string, why: string) => no('git-failed', `git ${what} failed: ${why}.`, 'Nothing was changed.'),
  repositoryUntrusted: (root: string, why: string) =>
    no(
      'repository-untrusted',
      `cannot create the worktree: ${why}, and Holdfast runs no programs that the repository ${root} configures.`,
      `If you trust it, add "${root}" to repositories.trusted in config.toml, or use git worktree add.`,
    ),
  repositoryNotFound: (path: string) =>
    no('repository-not-found', `${path} is not in a git repository.`, 'Choose a directory in a repository, or create one with git init.'),
  repositoryEmpty: (root: string) =>
    no('repository-empty', `cannot create a worktree: the repository ${root} has no commit yet.`, 'Create the first commit.'),
  branchInvalid: (name: string) =>
    no(
      'branch-invalid',
      `${JSON.stringify(name)} is not a valid branch name.`,
      'Use letters, digits, - and /, but no spaces, no "..", none of ~ ^ : ? * [ \\, and no - at the beginning.',
    ),
  branchTaken: (branch: string, path: string) =>
    no('branch-taken', `The branch ${branch} is already checked out in ${path}.`, 'Work there, or choose another branch.'),
  branchHalfMade: (branch: string, path: string) =>
    no(
      'branch-taken',
      `The branch ${branch} belongs to ${path}, a worktree that was only partly created.`,
      'Create it at that path again.',
    ),
  branchExists: (branch: string) =>
    no('branch-exists', `The branch ${branch} already exists.`, 'Omit the base to check it out, or choose another name.'),
  baseUnknown: (base: string) =>
    no(
      'base-unknown',
      `${JSON.stringify(base)} is not a branch, tag or commit of this repository.`,
      'Run git branch --all to see the branches.',
    ),
  worktreeInside: (path: string, root: string) =>
    no('worktree-inside', `cannot create a worktree at ${path}: it is inside ${root}.`, 'Choose a path outside the repository.'),
  worktreeExists: (path: string) =>
    no('worktree-exists', `cannot create a worktree at ${path}: it already exists.`, 'Choose another path or another branch.'),
  worktreeBusy: (path: string) => no('worktree-busy', `The worktree ${path} is being created.`, 'Try again in a moment.'),
  worktreeHalfMade: (path: string) =>
    no(
      'worktree-half-made',
      `The worktree ${path} was only partly created, and contains files that git did not write.`,
      `Check them, then run git worktree remove --force --force ${path} and try again.`,
    ),
  diskFailed: (reason: string) =>
    no('disk-failed', `cannot write the state: ${reason}.`, 'Free disk space or fix permissions, then try again.'),
  fileTooLarge: (limit: number) =>
    no('file-too-large', `The file is larger than ${limit >> 20} MB.`, 'Copy it to the machine yourself and type its path.'),
  fileTorn: () => no('file-torn', 'The upload was interrupted; nothing was kept.', 'Try again.'),
  filesBusy: () => no('files-busy', 'Too many uploads at once.', 'Try again in a moment.'),
  fileNotWritten: (reason: string) =>
    no('file-not-written', `cannot write the file: ${reason}.`, 'Nothing was kept. Free disk space, then try again.'),
  historyUnreadable: (reason: string) =>
    no('history-unreadable', `cannot read the history: ${reason}.`, 'The screen is still readable: omit --history.'),
  patternInvalid: (pattern: string, why: string) =>
    no('pattern-invalid', `/${pattern}/ is not a regular expression: ${why}.`, 'Escape special characters with a backslash.'),
  keyUnknown: (key: string) =>
    no('key-unknown', `There is no key "${key}".`, 'Examples of keys: Enter, Tab, Escape, Up, F5, C-c, M-x, S-Tab.'),
  paramsInvalid: (detail: string) => no('params-invalid', `The request is not valid: ${detail}.`, 'Check the command’s --help.'),
  commandUnknown: (name: string) =>
    no('command-unknown', `The running daemon has no command "${name}".`, 'Run holdfast daemon restart to use the installed version.'),
  timeout: (what: string) => no('timeout', `Timed out: ${what}.`, 'Use --timeout to wait longer.'),
  programEnded: (id: string, status: string) =>
    no('program-ended', `The program in ${id} has ended (${status}).`, `Run holdfast read ${id} to see its last screen.`),
  lockHeld: (file: string) => no('lock-held', `Another process holds the lock ${file}.`, 'Run holdfast daemon status for details.'),
  daemonRunning: (pid: number) =>
    no('daemon-running', `A daemon is already running (pid ${pid}).`, 'Run holdfast daemon status for details.'),
  daemonUnreachable: (why: string) =>
    no('daemon-unreachable', `cannot reach the daemon: ${why}.`, 'Run holdfast daemon logs or holdfast doctor for details.'),
  daemonVersion: (theirs: number, ours: number) =>
    no(
      'daemon-version',
      `The daemon speaks protocol ${theirs}, this program ${ours}.`,
      'Run holdfast daemon restart to use the installed version. Programs keep running.',
    ),
  homeUnusable: (home: string, why: string) =>
    no('home-unusable', `cannot use the state directory ${home}: ${why}.`, 'Set HOLDFAST_HOME to a directory of your own.'),
  storeNewer: (file: string) =>
    no('store-newer', `cannot open ${file}: a newer version of Holdfast wrote it.`, 'Install that version. The file was not changed.'),
  configInvalid: (detail: string) => no('config-invalid', detail, 'Run holdfast config check for details.'),
  optionRefused: (why: string) =>
    no('option-refused', why, 'config.toml was not changed. Run holdfast config show to see every option and its values.'),
  /** `needed` is the least grant that would do. */
  programMayNot: (terminal: string, may: string, needed: string) =>
    no(
      'may-not',
      `Programs in the terminal ${terminal} may only ${may} through HOLDFAST_SOCKET.`,
      `To allow more, use holdfast new --may ${needed}, or set may = "${needed}" under [programs] in config.toml.`,
    ),
  viewerMayNot: () =>
    no(
      'may-not',
      'This client has view-only access.',
      'Log in again with full access, or ask the person who shared the terminals with you.',
    ),
  socketNotOurs: (path: string, why: string) =>
    no(
      'socket-not-ours',
      `The socket ${path} is not safe to use: ${why}.`,
      'Nothing was sent. Remove it if it is yours, or set HOLDFAST_HOME to a directory of your own.',
    ),
  notAllowed: (why: string) => no('not-allowed', why, 'Run holdfast and open the address that it prints.'),
  failed: (what: string, why: string) => no('failed', `${what} failed: ${why}.`, 'Run holdfast daemon logs for details.'),
  daemonNotRunning: () =>
    no('daemon-not-running', 'The daemon is not running.', 'Run holdfast daemon start. Programs keep running without it.'),
  logMissing: (file: string) =>
    no('log-missing', `There is no log yet: ${file} does not exist.`, 'Run holdfast daemon start to create it.'),
  attachToSelf: (id: string) => no('attach-to-self', `cannot attach to ${id}: you are in it.`, 'Attach from another terminal.'),
  usage: (message: string, help: string) => no('usage', message, `See ${help}.`),
  unexpected: (what: string) => no('unexpected', `Internal error: ${what}.`, 'Run holdfast doctor for details, and report it.'),
  notKept: (id: string) =>
    no('not-kept', `The terminal ${id} is private: its output was not kept.`, `Run holdfast wake ${id} to start its program again.`),
  argumentsNotStored: (terminal: string, command: string, { args, env }: { readonly args: number; readonly env: number }) =>
    no(
      'arguments-not-stored',
      `cannot wake "${terminal}": it is private, and its ${countedWords(args, env)} not stored.`,
      `Run only "${command}" with holdfast wake --without-arguments ${terminal}, or use holdfast new --private to run it as before.`,
    ),
  notSearched: (id: string) =>
    no(
      'not-searched',
      `cannot search ${id}: it is private, so it is not indexed.`,
      `Run holdfast read ${id} to see its output while it runs.`,
    ),
  searchOff: () => no('search-off', 'Search is disabled.', 'Set enabled = true under [search] in config.toml.'),
  searchEmpty: (query: string) =>
    no('search-empty', `"${query}" has no words to search for.`, 'Words consist of letters and digits; punctuation separates them.'),
  searchFailed: (why: string) => no('search-failed', `cannot search the index: ${why}.`, 'Run holdfast daemon status for details.'),
  timeInvalid: (text: string) =>
    no('time-invalid', `"${text}" is not a time.`, 'Write 90s, 20m, 2h, 3d, 1w, today, yesterday, 2026-01-31 or 2026-01-31T18:30.'),
  spanInvalid: (text: string) => no('span-invalid', `"${text}" is not a duration.`, 'Write 90s, 30m, 2h, 1d or 1w.'),
  tooManyClients: (most: number) =>
    no(
      'too-many-clients',
      `The daemon already serves ${most} clients.`,
      'Close some. Run holdfast daemon status --json to see how many there are.',
    ),
  tooManyRequests: (most: number) =>
    no(
      'too-many-requests',
      `This connection already has ${most} requests in progress.`,
      'Wait for some of them, or use another connection.',
    ),
  tooManyChannels: (most: number) =>
    no('too-many-channels', `This connection already follows ${most} terminals.`, 'Stop following some, or use another connection.'),
  tooManyWaits: (most: number) =>
    no('too-many-waits', `The daemon already has ${most} waits in progress.`, 'Try again when some of them are over.'),
  patternTooSlow: (pattern: string) =>
    no('pattern-too-slow', `/${pattern}/ takes too long to match.`, 'Avoid nested repetitions such as (a+)+, or search for plain text.'),
  overloaded: (why: string) =>
    no(
      'overloaded',
      `The daemon is overloaded; new terminals are refused: ${why}.`,
      'Running programs keep running. Free memory or disk space, or put terminals to sleep; run holdfast health for details.',
    ),
  stopping: () => no('stopping', 'The daemon is stopping.', 'Try again in a moment.'),
  clipboardClosed: () =>
    no('clipboard-closed', 'The browser does not allow access to the clipboard.', 'Allow it for this page, or paste with the keyboard.'),
} as const satisfies Record<string, (...args: never[]) => { code: string; message: string; hint: string }>

/** The losses alone, from the message of `wouldLose`. */
export const lossesIn = (message: string): string => message.replace(/^cannot sleep ".*?": /, '')

export type RefusalCode = ReturnType<(typeof refusals)[keyof typeof refusals]>['code']
