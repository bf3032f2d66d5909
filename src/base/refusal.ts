/**
 * A refusal is an expected "no": a value with a code that programs can rely on, a sentence for people,
 * and a hint that says what to do next. Everything the product refuses is in this one table.
 */
export type Refusal = { readonly code: RefusalCode; readonly message: string; readonly hint: string }
export type Result<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal }

export const done = <Value>(value: Value): Result<Value> => ({ ok: true, value })
export const refused = (refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } => ({ ok: false, refusal })

/** As in `its 2 arguments and 1 variable were`. */
function countedWords(args: number, env: number): string {
  const counted = (count: number, word: string): string[] => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])
  return `${[...counted(args, 'argument'), ...counted(env, 'variable')].join(' and ')} ${args + env === 1 ? 'was' : 'were'}`
}

const no = <Code extends string>(code: Code, message: string, hint: string) => ({ code, message, hint })

type UnsureResume = {
  readonly ran: string
  readonly instead: string
  readonly why: string
  /** Whether the user can choose the other command line. */
  readonly isOffered: boolean
}

export const refusals = {
  deviceNotFound: (ref: string) => no('device-not-found', `There is no device "${ref}".`, 'holdfast auth ls shows ids and names.'),
  deviceAmbiguous: (ref: string, matches: readonly string[]) =>
    no('device-ambiguous', `"${ref}" fits several devices: ${matches.join(', ')}.`, 'Type more of the id.'),
  pageOff: (why: string) =>
    no('page-off', `The page cannot be used: ${why}`, 'Check [web] in config.toml, then restart the daemon: holdfast daemon stop.'),
  terminalNotFound: (ref: string) => no('terminal-not-found', `There is no terminal "${ref}".`, 'holdfast ls shows ids and names.'),
  nothingToReopen: () =>
    no(
      'nothing-to-reopen',
      'No terminal was closed in the last five minutes.',
      'holdfast restore goes back to a checkpoint; holdfast checkpoint ls shows them.',
    ),
  closedNotFound: (ref: string) =>
    no(
      'closed-not-found',
      `No terminal "${ref}" was closed in the last five minutes.`,
      'holdfast reopen --list shows which were; holdfast restore goes back to a checkpoint.',
    ),
  reopenTooLate: (ref: string) =>
    no(
      'reopen-too-late',
      `The terminal "${ref}" was closed more than five minutes ago, and is gone.`,
      'holdfast restore goes back to a checkpoint; holdfast checkpoint ls shows them.',
    ),
  notClosed: (ref: string) => no('not-closed', `The terminal "${ref}" is not closed.`, 'holdfast ls shows it.'),
  terminalAmbiguous: (ref: string, matches: readonly string[]) =>
    no('terminal-ambiguous', `"${ref}" fits several terminals: ${matches.join(', ')}.`, 'Type more of the id.'),
  nothingKnownOf: (ref: string) =>
    no(
      'nothing-known-of',
      `cannot forget "${ref}": no terminal of this name or id is known.`,
      'holdfast ls shows the terminals; holdfast checkpoint show shows those of before.',
    ),
  forgetRunning: (terminal: string) =>
    no('forget-running', `cannot forget "${terminal}": it is running.`, 'Close it first, or use --force to end its program.'),
  forgetUnfinished: (why: string) => no('forget-unfinished', `Forgetting is not finished: ${why}.`, 'holdfast daemon status tells more.'),
  forgetFuture: () => no('forget-future', 'cannot forget what is not yet there: the time is in the future.', 'Give a time that is past.'),
  workspaceNotFound: (ref: string) =>
    no('workspace-not-found', `There is no workspace "${ref}".`, 'holdfast workspace ls shows ids and names.'),
  workspaceAmbiguous: (ref: string, matches: readonly string[]) =>
    no('workspace-ambiguous', `"${ref}" fits several workspaces: ${matches.join(', ')}.`, 'Type more of the id.'),
  workspaceNotEmpty: (name: string) =>
    no('workspace-not-empty', `The workspace "${name}" still has terminals.`, 'Close them, or move them with --move-to WORKSPACE.'),
  workspaceNameTaken: (name: string) => no('workspace-name-taken', `Another workspace is called "${name}".`, 'Choose another name.'),
  workspaceOther: (terminal: string, workspace: string) =>
    no('workspace-other', `The terminal "${terminal}" is not in the workspace "${workspace}".`, 'Leave --to out to go where it is.'),
  workspaceLast: (name: string) => no('workspace-last', `"${name}" is the only workspace.`, 'Add another one first.'),
  schemeNotFound: (name: string, known: readonly string[]) =>
    no('scheme-not-found', `There is no colour scheme "${name}".`, `Choose one of ${known.join(', ')}.`),
  groupNotFound: (ref: string) => no('group-not-found', `There is no group "${ref}".`, 'holdfast group ls shows ids and names.'),
  groupNotEmpty: (name: string) => no('group-not-empty', `The group "${name}" still has workspaces.`, 'Move or remove them first.'),
  splitNotFound: (path: readonly number[]) =>
    no(
      'split-not-found',
      path.length === 0 ? 'Nothing is split there.' : `There is no split at ${path.map((part) => part + 1).join('.')}.`,
      'The layout may have changed meanwhile; holdfast group ls --json shows it.',
    ),
  splitParts: (parts: number, sizes: number) =>
    no('split-parts', `The split has ${parts} parts, and ${sizes} sizes were given.`, 'Give one size for each part.'),
  groupLast: (name: string) => no('group-last', `"${name}" is the only group.`, 'Add another one first.'),
  checkpointNotFound: (ref: string, count: number) =>
    count === 0
      ? no('checkpoint-not-found', 'There is no checkpoint yet.', 'holdfast checkpoint create takes one now.')
      : no('checkpoint-not-found', `There is no checkpoint "${ref}".`, `holdfast checkpoint ls shows the ${count} that are kept.`),
  checkpointAmbiguous: (ref: string, matches: readonly string[]) =>
    no('checkpoint-ambiguous', `"${ref}" fits several checkpoints: ${matches.join(', ')}.`, 'Type more of the id.'),
  checkpointDamaged: (id: string, why: string) =>
    no('checkpoint-damaged', `The checkpoint ${id} cannot be used: ${why}.`, 'Choose another one; holdfast checkpoint ls shows them.'),
  checkpointNewestGood: (id: string) =>
    no(
      'checkpoint-newest-good',
      `${id} is the newest good checkpoint.`,
      'It is what a restore would begin with; --force deletes it all the same.',
    ),
  checkpointScreenMissing: (id: string, terminal: string, why: string) =>
    no(
      'checkpoint-screen-missing',
      `The checkpoint ${id} has no screen of ${terminal}: ${why}.`,
      'holdfast checkpoint show tells which it has.',
    ),
  exportExists: (file: string) => no('export-exists', `${file} exists already.`, 'Choose another name, or replace it with --force.'),
  exportFailed: (file: string, why: string) =>
    no('export-failed', `${file} could not be written: ${why}.`, 'Choose a directory that exists and has room.'),
  importUnusable: (file: string, why: string) =>
    no('import-unusable', `${file} cannot be imported: ${why}.`, 'Nothing was changed. holdfast export writes such files.'),
  importSealed: (file: string) =>
    no('import-sealed', `${file} is sealed with a passphrase.`, 'Run holdfast import in a terminal to type it, or use --passphrase-file.'),
  passphraseWrong: (file: string) => no('passphrase-wrong', `The passphrase does not open ${file}.`, 'Nothing was changed. Try again.'),
  passphraseExposed: (file: string) =>
    no(
      'passphrase-exposed',
      `${file} is not used: other users may read or change it.`,
      `Run chmod 600 ${file}, and choose another passphrase if it was read.`,
    ),
  passphraseUnusable: (why: string) =>
    no(
      'passphrase-unusable',
      `The passphrase cannot be used: ${why}.`,
      'Type it in a terminal, or name a file that holds it with --passphrase-file.',
    ),
  importedUnconfirmed: (terminal: string, from: string) =>
    no(
      'imported-unconfirmed',
      `cannot wake "${terminal}" yet: it was imported from ${from} and its command is not confirmed.`,
      'holdfast wake ID in a terminal shows the command and asks; --trust confirms it without asking.',
    ),
  nameTaken: (name: string) => no('name-taken', `Another terminal is called "${name}".`, 'Choose another name.'),
  nameInvalid: (name: string) =>
    no('name-invalid', `"${name}" cannot be a name.`, 'Use 1 to 64 characters without control characters, not shaped like an id.'),
  cwdMissing: (cwd: string) => no('cwd-missing', `The directory ${cwd} does not exist.`, 'Create it, or choose another with --cwd.'),
  cwdNotDirectory: (cwd: string) => no('cwd-not-directory', `${cwd} is not a directory that you may enter.`, 'Choose another with --cwd.'),
  commandNotFound: (command: string) => no('command-not-found', `The command "${command}" was not found.`, 'Check the spelling and PATH.'),
  commandNotExecutable: (command: string) => no('command-not-executable', `"${command}" cannot be executed.`, 'Check its permissions.'),
  sizeInvalid: (size: string) =>
    no('size-invalid', `"${size}" is not a terminal size.`, 'Write COLSxROWS, from 2x1 to 1000x1000, like 120x40.'),
  notLive: (id: string, why: string) =>
    no('not-live', `The terminal ${id} has no running program: ${why}.`, 'holdfast wake starts it again.'),
  alreadyLive: (id: string) => no('already-live', `The terminal ${id} is running already.`, 'holdfast attach shows it.'),
  wouldLose: (terminal: string, losses: string) =>
    no(
      'would-lose',
      `The terminal ${terminal} would lose something if it slept: ${losses}.`,
      'It was left running. Say it twice to do it all the same: holdfast sleep --force.',
    ),
  busy: (id: string, state: string) => no('busy', `The terminal ${id} is ${state}.`, 'Try again in a moment.'),
  holderUnreachable: (id: string, why: string) =>
    no(
      'holder-unreachable',
      `The terminal ${id} is running, but its holder does not answer: ${why}.`,
      'holdfast doctor tells more; the program is left alone.',
    ),
  holderIncompatible: (id: string, speaks: string) =>
    no(
      'holder-incompatible',
      `The terminal ${id} is held by a version that speaks protocol ${speaks}.`,
      'Its program is left alone; use that version of Holdfast to reach it.',
    ),
  tmuxUnusable: (why: string) =>
    no(
      'tmux-unusable',
      `tmux cannot be used: ${why}.`,
      'tmux 3.3 or newer is needed; holdfast doctor tells more. Without --backend tmux Holdfast holds programs itself.',
    ),
  tmuxNoServer: (socket: string) =>
    no('tmux-no-server', `No tmux server answers on ${socket}.`, 'Start tmux first, or name its socket with --socket PATH.'),
  tmuxForeign: (socket: string, why: string) =>
    no(
      'tmux-foreign',
      `${socket} is not used: ${why}.`,
      'Holdfast only connects to your own tmux servers; tmux -L NAME keeps its socket in a directory of yours.',
    ),
  tmuxSessionUnknown: (session: string, socket: string) =>
    no('tmux-session-unknown', `There is no tmux session "${session}" on ${socket}.`, 'tmux ls shows the sessions.'),
  tmuxSessionInvalid: (session: string) =>
    no(
      'tmux-session-invalid',
      `${JSON.stringify(session)} cannot be the name of a tmux session.`,
      'Names are not empty and have neither : nor . in them; tmux ls shows the sessions.',
    ),
  tmuxOurs: () =>
    no('tmux-ours', 'This is the tmux in which Holdfast holds its own programs.', 'They are shown already: holdfast ls lists them.'),
  nothingToAdopt: (why: string) =>
    no('nothing-to-adopt', `There is nothing to adopt: ${why}.`, 'holdfast ls shows which guests there are.'),
  guestSize: (terminal: string) =>
    no(
      'guest-size',
      `The terminal ${terminal} is a guest: its own tmux decides its size.`,
      'Resize it there; Holdfast shows it as large as it is.',
    ),
  guestConversation: (terminal: string) =>
    no('guest-conversation', `The terminal ${terminal} is a guest: nothing is started in it.`, 'holdfast wake shows it again.'),
  startFailed: (reason: string) => no('start-failed', `The program could not be started: ${reason}.`, 'holdfast daemon logs tells more.'),
  resumeFailed: (id: string, reason: string) =>
    no(
      'resume-failed',
      `The terminal ${id} could not be resumed: ${reason}.`,
      `Try again with holdfast wake ${id}, choose another conversation with --conversation ID, or start it as at first with --fresh.`,
    ),
  conversationGone: (id: string, agent: string, conversation: string) =>
    no(
      'conversation-gone',
      `The conversation ${conversation} of ${agent} is gone: its transcript does not exist any more.`,
      `Nothing was started. holdfast wake ${id} --fresh begins a new one, --conversation ID resumes another.`,
    ),
  resumeUnsure: (id: string, { ran, instead, why, isOffered }: UnsureResume) =>
    no(
      'resume-unsure',
      `The terminal ${id} was not resumed: its agent was started by "${ran}", and it is not certain how to start it like that again: ${why}. Instead, "${instead}" would run.`,
      `${isOffered ? `holdfast wake ${id} --as-shown runs that` : `holdfast wake ${id} --conversation ID resumes one that you name`}; --fresh starts the terminal as at first.`,
    ),
  conversationNotCertain: (id: string, why: string) =>
    no(
      'conversation-not-certain',
      `The terminal ${id} was not resumed: its conversation is not known, and ${why}.`,
      `holdfast wake ${id} --conversation ID resumes the one that you choose, --fresh starts the terminal as at first.`,
    ),
  conversationTaken: (conversation: string, owner: string) =>
    no(
      'conversation-taken',
      `The conversation ${conversation} belongs to the terminal ${owner}.`,
      `A conversation is open in one terminal: holdfast wake ${owner} resumes it there. Close that terminal first to have it here.`,
    ),
  conversationInvalid: (id: string) =>
    no(
      'conversation-invalid',
      `${JSON.stringify(id)} cannot be the id of a conversation.`,
      'Ids have up to 128 letters, digits and . _ : - and begin with a letter or a digit.',
    ),
  conversationNotOf: (id: string, agent: string) =>
    no('conversation-invalid', `${JSON.stringify(id)} is not how ${agent} names its conversations.`, 'Copy the id as the agent shows it.'),
  conversationUnsupported: (command: string, known: readonly string[]) =>
    no(
      'conversation-unsupported',
      `"${command}" is not known to resume a conversation by its id.`,
      `Those that do: ${known.join(', ')}. Wake it without --conversation.`,
    ),
  hooksUnsupported: (agent: string, known: readonly string[]) =>
    no(
      'hooks-unsupported',
      `Holdfast has no hooks for "${agent}".`,
      `Those that it has hooks for: ${known.join(', ')}. The others work without.`,
    ),
  hooksUnusable: (file: string, why: string) =>
    no('hooks-unusable', `${file} ${why}; it was left as it is.`, 'Mend it and try again. Everything works without hooks too.'),
  hooksFailed: (file: string, why: string) =>
    no('hooks-failed', `${file} could not be changed: ${why}.`, 'It is as it was. Check its permissions and try again.'),
  agentNotFound: (label: string, directory: string) =>
    no(
      'agent-not-found',
      `${label} was not found: it is not in PATH, and ${directory} does not exist.`,
      'Install it first, or say where its settings are with --config-dir.',
    ),
  recoveryAnswered: () =>
    no('recovery-answered', 'No terminal waits to be woken after a crash.', 'holdfast ls shows what sleeps; holdfast wake ID wakes one.'),
  serviceUnsupported: () =>
    no(
      'service-unsupported',
      'There is neither systemd nor launchd here.',
      'Nothing is needed: every command starts the daemon. holdfast daemon start does only that.',
    ),
  serviceUnanswered: (tool: string, why: string) =>
    no(
      'service-unanswered',
      `The service is written, but ${tool} does not do its part: ${why}.`,
      'A container or a shell of su has no services of a user. Log in as yourself and try again.',
    ),
  serviceNotWritten: (file: string, why: string) =>
    no('service-not-written', `${file} could not be changed: ${why}.`, 'Check the permissions of its directory.'),
  gitMissing: () => no('git-missing', 'git was not found.', 'Install git, or start the daemon with a PATH that has it.'),
  gitFailed: (what: string, why: string) => no('git-failed', `git ${what} failed: ${why}.`, 'Nothing was changed.'),
  repositoryUntrusted: (root: string, why: string) =>
    no(
      'repository-untrusted',
      `The worktree was not made: ${why}, and Holdfast does not run what the repository ${root} names.`,
      `If you trust it, add "${root}" to repositories.trusted in config.toml; or use git worktree add.`,
    ),
  repositoryNotFound: (path: string) =>
    no('repository-not-found', `${path} is not in a git repository.`, 'Choose a directory of one, or make one with git init.'),
  repositoryEmpty: (root: string) =>
    no('repository-empty', `The repository ${root} has no commit yet.`, 'A worktree begins with a commit: make the first one.'),
  branchInvalid: (name: string) =>
    no(
      'branch-invalid',
      `${JSON.stringify(name)} cannot be the name of a branch.`,
      'Use letters, digits, - and /; no spaces, no two dots in a row, none of ~ ^ : ? * [ and \\, and no - at the beginning.',
    ),
  branchTaken: (branch: string, path: string) =>
    no('branch-taken', `The branch ${branch} is checked out in ${path}.`, 'Work there, or choose another branch.'),
  branchHalfMade: (branch: string, path: string) =>
    no(
      'branch-taken',
      `The branch ${branch} belongs to ${path}, a worktree that git was interrupted in.`,
      'Ask for it at that path once more: it is made again.',
    ),
  branchExists: (branch: string) =>
    no('branch-exists', `The branch ${branch} exists already.`, 'Leave the base out to check it out as it is, or choose another name.'),
  baseUnknown: (base: string) =>
    no('base-unknown', `${JSON.stringify(base)} is no branch, tag or commit of this repository.`, 'git branch --all shows the branches.'),
  worktreeInside: (path: string, root: string) =>
    no('worktree-inside', `${path} is inside of ${root}.`, 'A worktree belongs beside its repository: choose a path outside.'),
  worktreeExists: (path: string) => no('worktree-exists', `${path} exists already.`, 'Choose another path, or another branch.'),
  worktreeBusy: (path: string) => no('worktree-busy', `${path} is being made.`, 'Try again in a moment.'),
  worktreeHalfMade: (path: string) =>
    no(
      'worktree-half-made',
      `git was interrupted while it made ${path}, and there is something in it that is not git’s.`,
      `Look at it, then remove it with git worktree remove --force --force ${path} and try again.`,
    ),
  diskFailed: (reason: string) =>
    no('disk-failed', `The state could not be written: ${reason}.`, 'Free some disk space or fix permissions, then try again.'),
  fileTooLarge: (limit: number) =>
    no('file-too-large', `A file may have ${limit >> 20} MB at most.`, 'Put larger ones on the machine yourself, and type their path.'),
  fileTorn: () => no('file-torn', 'The file broke off on its way; nothing of it was kept.', 'Try again.'),
  filesBusy: () => no('files-busy', 'Too many files come at once.', 'Try again in a moment.'),
  fileNotWritten: (reason: string) =>
    no('file-not-written', `The file could not be written: ${reason}.`, 'Nothing of it was kept. Free some disk space, then try again.'),
  historyUnreadable: (reason: string) =>
    no('history-unreadable', `The history cannot be read: ${reason}.`, 'What is on the screen is still there: read without --history.'),
  patternInvalid: (pattern: string, why: string) =>
    no('pattern-invalid', `/${pattern}/ is not a regular expression: ${why}.`, 'Escape special characters with a backslash.'),
  keyUnknown: (key: string) =>
    no('key-unknown', `There is no key "${key}".`, 'Keys look like Enter, Tab, Escape, Up, F5, C-c, M-x, S-Tab.'),
  paramsInvalid: (detail: string) => no('params-invalid', `The request is not valid: ${detail}.`, 'Check the command’s --help.'),
  commandUnknown: (name: string) =>
    no('command-unknown', `This daemon has no command "${name}".`, 'holdfast daemon restart runs the installed version.'),
  timeout: (what: string) => no('timeout', `Gave up waiting: ${what}.`, 'Give it longer with --timeout.'),
  programEnded: (id: string, status: string) =>
    no('program-ended', `The program in ${id} has ended (${status}).`, 'holdfast read shows its last screen.'),
  lockHeld: (file: string) => no('lock-held', `Another process holds ${file}.`, 'holdfast daemon status tells more.'),
  daemonRunning: (pid: number) =>
    no('daemon-running', `A daemon is already running here (pid ${pid}).`, 'holdfast daemon status tells more.'),
  daemonUnreachable: (why: string) =>
    no('daemon-unreachable', `The daemon cannot be reached: ${why}.`, 'holdfast daemon logs and holdfast doctor tell more.'),
  daemonVersion: (theirs: number, ours: number) =>
    no(
      'daemon-version',
      `The daemon speaks protocol ${theirs}, this program ${ours}.`,
      'holdfast daemon restart changes to the installed version; programs keep running.',
    ),
  homeUnusable: (home: string, why: string) =>
    no('home-unusable', `The state directory ${home} cannot be used: ${why}.`, 'Set HOLDFAST_HOME to a directory of your own.'),
  storeNewer: (file: string) =>
    no('store-newer', `${file} was written by a newer Holdfast.`, 'Install that version again; the file was left untouched.'),
  configInvalid: (detail: string) => no('config-invalid', detail, 'holdfast config check tells more.'),
  optionRefused: (why: string) =>
    no('option-refused', why, 'config.toml was left as it is. holdfast config show tells every option and what it may be.'),
  /** `needed` is the least grant that would do. */
  programMayNot: (terminal: string, may: string, needed: string) =>
    no(
      'may-not',
      `Programs in the terminal ${terminal} may only ${may} through HOLDFAST_SOCKET.`,
      `To allow more, start it with holdfast new --may ${needed}, or set may = "${needed}" under [programs] in config.toml.`,
    ),
  viewerMayNot: () =>
    no('may-not', 'This client may only look at terminals.', 'Log in again with full access, or ask the person who shared them with you.'),
  socketNotOurs: (path: string, why: string) =>
    no(
      'socket-not-ours',
      `The socket ${path} is not safe to use: ${why}.`,
      'Nothing was sent. Remove what is there if it is yours, or set HOLDFAST_HOME to a directory of your own.',
    ),
  notAllowed: (why: string) => no('not-allowed', why, 'Open the address that holdfast prints.'),
  failed: (what: string, why: string) => no('failed', `${what} failed: ${why}.`, 'holdfast daemon logs tells more.'),
  daemonNotRunning: () =>
    no('daemon-not-running', 'The daemon is not running.', 'holdfast daemon start starts it. Programs keep running without it.'),
  logMissing: (file: string) => no('log-missing', `There is no log yet: ${file} does not exist.`, 'holdfast daemon start writes one.'),
  attachToSelf: (id: string) => no('attach-to-self', `This is the terminal ${id} itself.`, 'Attach to it from another one.'),
  usage: (message: string, help: string) => no('usage', message, `See ${help}.`),
  unexpected: (what: string) => no('unexpected', `Something went wrong that should not: ${what}.`, 'holdfast doctor may tell more.'),
  notKept: (id: string) =>
    no('not-kept', `The terminal ${id} is private: nothing of it was kept.`, 'holdfast wake starts its program again.'),
  argumentsNotStored: (terminal: string, command: string, { args, env }: { readonly args: number; readonly env: number }) =>
    no(
      'arguments-not-stored',
      `cannot wake "${terminal}": it is private: its ${countedWords(args, env)} not stored.`,
      `holdfast wake --without-arguments ${terminal} runs only "${command}". To run it as before, use holdfast new --private.`,
    ),
  notSearched: (id: string) =>
    no('not-searched', `The terminal ${id} is private: it is not indexed.`, 'holdfast read shows what it has while it runs.'),
  searchOff: () => no('search-off', 'Searching is switched off.', 'Set enabled = true under [search] in config.toml.'),
  searchEmpty: (query: string) =>
    no('search-empty', `"${query}" has no word to look for.`, 'Words are made of letters and digits; signs only part them.'),
  searchFailed: (why: string) => no('search-failed', `The index cannot be searched: ${why}.`, 'holdfast daemon status tells more.'),
  timeInvalid: (text: string) =>
    no('time-invalid', `"${text}" is not a time.`, 'Write 90s, 20m, 2h, 3d, 1w, today, yesterday, 2026-01-31 or 2026-01-31T18:30.'),
  spanInvalid: (text: string) => no('span-invalid', `"${text}" is not a span of time.`, 'Write 90s, 30m, 2h, 1d or 1w.'),
  tooManyClients: (most: number) =>
    no(
      'too-many-clients',
      `The daemon already serves ${most} clients.`,
      'Close some: holdfast daemon status --json shows how many there are.',
    ),
  tooManyRequests: (most: number) =>
    no('too-many-requests', `This connection already waits for ${most} answers.`, 'Wait for some of them, or use another connection.'),
  tooManyChannels: (most: number) =>
    no('too-many-channels', `This connection already follows ${most} terminals.`, 'Stop following some, or use another connection.'),
  tooManyWaits: (most: number) =>
    no('too-many-waits', `The daemon already carries out ${most} waits.`, 'Wait until some of them are over.'),
  patternTooSlow: (pattern: string) =>
    no(
      'pattern-too-slow',
      `/${pattern}/ takes too long to match.`,
      'Write it without a repetition inside a repetition, such as (a+)+, or search for a plain text.',
    ),
  overloaded: (why: string) =>
    no(
      'overloaded',
      `Nothing new is begun at the moment: ${why}.`,
      'What runs goes on. Make room, or put terminals to sleep; holdfast health tells more.',
    ),
  stopping: () => no('stopping', 'The daemon is stopping.', 'Try again in a moment.'),
  clipboardClosed: () =>
    no('clipboard-closed', 'The browser does not hand out the clipboard.', 'Allow it for this page, or paste with the keyboard.'),
} as const satisfies Record<string, (...args: never[]) => { code: string; message: string; hint: string }>

export type RefusalCode = ReturnType<(typeof refusals)[keyof typeof refusals]>['code']
