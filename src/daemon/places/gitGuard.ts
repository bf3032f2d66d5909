/**
 * Keeps git from running programs that a repository names. The repository's configuration can name any number of them (filters, hooks,
 * pagers, helpers, transports) under arbitrary names, and new versions of git add more. So this is an allow-list: every setting of the
 * repository that is not known to be inert is overridden with the user's own value, or with an empty one. Pure.
 */

/** One line of `git config --list --show-scope`. */
export type GitSetting = { readonly scope: string; readonly key: string; readonly value: string }
export type Override = readonly [key: string, value: string]

/**
 * `look`: git runs no program at all. The user's own filters are off too, because they read the repository's settings in turn (git-lfs does).
 * A file that only a filter could judge makes git fail, and the answer is "not known".
 * `make`: for a worktree that the user asked for. The user's own filters run; the repository's filters make git fail; hooks are skipped.
 */
export type GuardKind = 'look' | 'make'

export type Guard = { readonly ok: true; readonly overrides: readonly Override[] } | { readonly ok: false; readonly why: string }

/** Scopes that the repository cannot write. */
const USERS_OWN = new Set(['system', 'global', 'command'])
/** More would not fit on a command line, and no real configuration has as many. */
const MOST_OVERRIDES = 500

/** Constant, and after all others: these hold even if the configuration changes between the two calls of git. */
const ALWAYS: readonly Override[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.alternateRefsCommand', ''],
  ['sequence.editor', 'false'],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['protocol.allow', 'never'],
]
const LOOKING: readonly Override[] = [
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
]

const ENVIRONMENT = {
  ...{ GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true', SSH_ASKPASS: 'true', LC_ALL: 'C' },
  ...{ GIT_PAGER: 'cat', GIT_EDITOR: 'false', GIT_SEQUENCE_EDITOR: 'false', GIT_OPTIONAL_LOCKS: '0' },
  // Above `protocol.NAME.allow`, which a repository may set; `none` is no protocol.
  ...{ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
}

/** Variables for git that the daemon happened to be started with are about another repository. */
export function gitEnvironment(own: NodeJS.ProcessEnv, kind: GuardKind | 'trusted'): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('GIT_')))
  if (kind === 'trusted') return { ...kept, GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true', SSH_ASKPASS: 'true', LC_ALL: 'C' }
  return { ...kept, ...ENVIRONMENT, ...(kind === 'look' ? { GIT_SSH_COMMAND: 'false' } : {}) }
}

/** As `git config --null --list --show-scope` prints them. */
export function parseSettings(output: string): readonly GitSetting[] {
  const parts = output.split('\0')
  const settings: GitSetting[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [key = '', ...value] = (parts[at + 1] ?? '').split('\n')
    settings.push({ scope: parts[at] ?? '', key, value: value.join('\n') })
  }
  return settings
}

export function guardFor(settings: readonly GitSetting[], kind: GuardKind): Guard {
  const own = new Map<string, string[]>()
  const theirs = new Set<string>()
  let isConditional = false
  for (const { scope, key, value } of settings) {
    if (USERS_OWN.has(scope)) own.set(key, [...(own.get(key) ?? []), value])
    else if (!isInert(key)) theirs.add(key)
    isConditional ||= !USERS_OWN.has(scope) && key.startsWith('includeif.')
  }
  // An include that depends on the directory or the branch may add settings in the new worktree that are not in this list.
  if (kind === 'make' && isConditional) return { ok: false, why: 'the repository’s own configuration has conditional includes' }
  const filters = new Set([...(kind === 'look' ? own.keys() : []), ...theirs].flatMap((key) => filterOf(key) ?? []))
  const plain = [...theirs].filter((key) => filterOf(key) === null).flatMap((key) => restored(key, own))
  const overrides = [...plain, ...[...filters].flatMap((name) => filterOverrides(name, own, kind))]
  if (overrides.length > MOST_OVERRIDES) return { ok: false, why: 'the repository’s own configuration is too large' }
  const odd = overrides.find(([key]) => key.includes('='))
  if (odd !== undefined) return { ok: false, why: `the repository’s own configuration has the odd key ${JSON.stringify(odd[0])}` }
  return { ok: true, overrides: [...overrides, ...ALWAYS, ...(kind === 'look' ? LOOKING : [])] }
}

/** Empty first: an empty value restarts the list of settings that can be given several times. */
const restored = (key: string, own: ReadonlyMap<string, readonly string[]>): readonly Override[] =>
  ['', ...(own.get(key) ?? [])].map((value) => [key, value])

const filterOf = (key: string): string | null => /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? null

/** A required filter that is empty makes git fail where a file needs it, instead of comparing or writing the wrong contents. */
function filterOverrides(name: string, own: ReadonlyMap<string, readonly string[]>, kind: GuardKind): readonly Override[] {
  const key = (what: string): string => `filter.${name}.${what}`
  const isOwn = kind === 'make' && own.has(key('process'))
  if (isOwn) return ['clean', 'smudge', 'process', 'required'].flatMap((what) => restored(key(what), own))
  return [...['clean', 'smudge', 'process'].map((what): Override => [key(what), '']), [key('required'), 'true']]
}

/** Sections in which no setting names a program. `include` only brings other settings, which are judged themselves; `protocol` is overruled. */
const INERT_SECTIONS = words(`
  add advice am apply author blame branch checkout clean clone color column committer commitgraph extensions feature fetch format fsck gc grep http i18n
  include includeif index init mailinfo mailmap maintenance notes pack protocol pull push rebase receive reftable repack rerere safe
  showbranch sparse splitindex stash status transfer url user versionsort worktree`)

/** Of other sections, the settings that name none. Any that is neither here nor above is overridden, whatever it is. */
const INERT_NAMES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'core',
    words(`
      abbrev attributesfile autocrlf bare bigfilethreshold checkroundtripencoding checkstat commentchar commitgraph compression createobject
      deltabasecachelimit eol excludesfile filemode filesreflocktimeout fsync fsyncmethod hidedotfiles ignorecase ignorestat
      logallrefupdates longpaths loosecompression maxtreedepth multipackindex packedgitlimit packedgitwindowsize packedrefstimeout
      precomposeunicode preloadindex protecthfs protectntfs repositoryformatversion safecrlf sharedrepository sparsecheckout
      sparsecheckoutcone splitindex symlinks trustctime untrackedcache usereplacerefs warnambiguousrefs whitespace worktree`),
  ],
  ['commit', words('cleanup status template verbose')],
  [
    'diff',
    words(`
      algorithm binary cachetextconv colormoved colormovedws context dirstat ignoresubmodules indentheuristic interhunkcontext
      mnemonicprefix noprefix orderfile relative renamelimit renames statgraphwidth submodule suppressblankempty wordregex
      wserrorhighlight xfuncname`),
  ],
  ['gpg', words('allowedsignersfile format mintrustlevel revocationfile')],
  ['lfs', words('access fetchexclude fetchinclude locksverify repositoryformatversion url')],
  ['log', words('abbrevcommit date decorate diffmerges excludedecoration follow graphcolors initialdecorationset mailmap')],
  [
    'merge',
    words(
      'autostash branchdesc conflictstyle defaulttoupstream directoryrenames ff log renamelimit renames renormalize stat suppressdest verbosity',
    ),
  ],
  [
    'remote',
    words(`
      fetch followremotehead gh-resolved mirror partialclonefilter promisor prune prunetags push pushdefault pushurl skipdefaultupdate
      skipfetchall tagopt url`),
  ],
  ['submodule', words('active branch fetchjobs fetchrecursesubmodules ignore path propagatebranches recurse shallow url')],
  ['tag', words('sort')],
])

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Keys are as git normalises them: only what stands between two dots keeps its case. */
export function isInert(key: string): boolean {
  const [section = ''] = key.split('.', 1)
  return INERT_SECTIONS.has(section) || INERT_NAMES.get(section)?.has(key.slice(key.lastIndexOf('.') + 1)) === true
}
