/**
 * Repositories that try to have a program run by whoever looks at them. Every trap names a program of its own, which leaves a
 * file with the trap's name: what has run can be read off a directory.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Setting = readonly [key: string, value: string]

export type Trap = {
  readonly name: string
  /** What is written into the repository's own configuration; `program` is a path. */
  readonly config?: (program: string) => readonly Setting[]
  /** Anything else. */
  readonly plant?: (place: Planted & { readonly program: string }) => void
  /** The commands of a plain git that spring it; none where this one can only be sprung by a person at a terminal. */
  readonly sprungBy?: readonly (readonly string[])[]
}

export type Planted = {
  /** The main checkout, with the branches main, other and linked. */
  readonly root: string
  /** A linked worktree on the branch `linked`. */
  readonly linked: string
}

const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
/** Of a commit that is nowhere: a partial clone has to fetch it. */
const MISSING = '1234567890123456789012345678901234567890'
const STATUS = [['status']]
const SHOW = [['log', '-p', '-1', '--ext-diff', '--show-signature']]
const COMMIT = [['commit', '--allow-empty', '-m', 'x']]
const LOAD = [['cat-file', '-p', MISSING]]
const FETCH = [['fetch', 'origin']]

const HOOKS = [
  ...['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit', 'post-commit', 'prepare-commit-msg', 'commit-msg'],
  ...['pre-auto-gc', 'post-merge', 'post-rewrite', 'fsmonitor-watchman', 'pre-push', 'pre-rebase', 'sendemail-validate'],
]

const partial = (url: string): readonly Setting[] => [
  ['core.repositoryFormatVersion', '1'],
  ['extensions.partialClone', 'origin'],
  ['remote.origin.promisor', 'true'],
  ['remote.origin.partialCloneFilter', 'blob:none'],
  ['remote.origin.url', url],
  ['protocol.allow', 'always'],
  ...['file', 'ssh', 'ext', 'git', 'http', 'evil'].map((name): Setting => [`protocol.${name}.allow`, 'always']),
]

const plantMissing = ({ root }: Planted): void => writeFileSync(join(root, '.git/refs/heads/missing'), `${MISSING}\n`)
const plantAttributes = ({ root }: Planted): void => {
  mkdirSync(join(root, '.git/info'), { recursive: true })
  writeFileSync(join(root, '.git/info/attributes'), '* filter=evil diff=evil merge=evil\n')
}
const plantHooks = (directory: string, program: string): void => {
  mkdirSync(directory, { recursive: true })
  for (const hook of HOOKS) {
    writeFileSync(join(directory, hook), `#!/bin/sh\nexec '${program}'\n`)
    chmodSync(join(directory, hook), 0o755)
  }
}

/** Signs the newest commit with nonsense, which somebody would have to verify. */
function plantSigned({ root }: Planted): void {
  const git = (args: readonly string[], input = ''): string => execFileSync('git', args, { cwd: root, encoding: 'utf8', input }).trim()
  const [head = '', ...body] = git(['cat-file', 'commit', 'HEAD']).split('\n\n')
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEz\n -----END PGP SIGNATURE-----'
  const commit = git(['hash-object', '-t', 'commit', '-w', '--stdin'], `${head}\n${signature}\n\n${body.join('\n\n')}\n`)
  git(['update-ref', 'refs/heads/main', commit])
}

/** One that every checkout and every look at changed files needs. */
export const FILTER: Trap = {
  name: 'filter',
  config: (program) => [
    ['filter.evil.clean', `${program} pass`],
    ['filter.evil.smudge', `${program} pass`],
  ],
  plant: plantAttributes,
  sprungBy: STATUS,
}

export const TRAPS: readonly Trap[] = [
  FILTER,
  { name: 'core.fsmonitor', config: (program) => [['core.fsmonitor', program]], sprungBy: STATUS },
  { name: 'hooks', plant: ({ root, program }) => plantHooks(join(root, '.git/hooks'), program), sprungBy: COMMIT },
  {
    name: 'core.hooksPath',
    config: () => [['core.hooksPath', '.hooks']],
    plant: ({ root, linked, program }) => {
      for (const place of [root, linked]) plantHooks(join(place, '.hooks'), program)
    },
    sprungBy: COMMIT,
  },
  {
    name: 'hook.command',
    config: (program) => [
      ['hook.evil.command', program],
      ...['post-checkout', 'post-index-change', 'reference-transaction'].map((event): Setting => ['hook.evil.event', event]),
    ],
  },
  { name: 'filter.process', config: (program) => [['filter.evil.process', program]], plant: plantAttributes, sprungBy: STATUS },
  { name: 'filter.clean', config: (program) => [['filter.evil.clean', program]], plant: plantAttributes, sprungBy: STATUS },
  {
    name: 'filter.clean, required',
    config: (program) => [
      ['filter.evil.clean', program],
      ['filter.evil.required', 'true'],
    ],
    plant: plantAttributes,
    sprungBy: STATUS,
  },
  {
    name: 'filter.smudge',
    config: (program) => [['filter.evil.smudge', program]],
    plant: plantAttributes,
    sprungBy: [['cat-file', '--filters', 'HEAD:one.txt']],
  },
  {
    name: 'filter with an odd name',
    config: (program) => [['filter.a.b=c d.clean', program]],
    plant: ({ root }) => {
      mkdirSync(join(root, '.git/info'), { recursive: true })
      writeFileSync(join(root, '.git/info/attributes'), '* filter=a.b=c\n')
    },
  },
  {
    name: 'filter of .gitattributes',
    config: (program) => [['filter.evil.clean', program]],
    plant: ({ root, linked }) => {
      for (const place of [root, linked]) writeFileSync(join(place, '.gitattributes'), '* filter=evil\n')
    },
    sprungBy: STATUS,
  },
  {
    name: 'include.path',
    config: () => [['include.path', '../included']],
    plant: (place) => {
      plantAttributes(place)
      writeFileSync(join(place.root, 'included'), `[filter "evil"]\n\tclean = ${place.program}\n`)
    },
    sprungBy: STATUS,
  },
  {
    name: 'includeIf',
    config: () => [['includeIf.gitdir:/**.path', '../included']],
    plant: (place) => {
      plantAttributes(place)
      writeFileSync(join(place.root, 'included'), `[filter "evil"]\n\tclean = ${place.program}\n`)
    },
    sprungBy: STATUS,
  },
  {
    name: 'config.worktree',
    config: () => [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.worktreeConfig', 'true'],
    ],
    plant: (place) => {
      plantAttributes(place)
      const text = `[filter "evil"]\n\tclean = ${place.program}\n[core]\n\tfsmonitor = ${place.program}\n`
      writeFileSync(join(place.root, '.git/config.worktree'), text)
      for (const name of readdirSync(join(place.root, '.git/worktrees')))
        writeFileSync(join(place.root, '.git/worktrees', name, 'config.worktree'), text)
    },
    sprungBy: STATUS,
  },
  {
    name: 'config.worktree of the linked one alone',
    config: () => [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.worktreeConfig', 'true'],
    ],
    plant: (place) => {
      plantAttributes(place)
      const name = 'linked'
      writeFileSync(join(place.root, '.git/worktrees', name, 'config.worktree'), `[filter "evil"]\n\tclean = ${place.program}\n`)
    },
  },
  ...['gitdir:**/worktrees/new', 'gitdir:**/worktrees/linked', 'onbranch:new', 'onbranch:linked'].map(
    (condition): Trap => ({
      name: `includeIf ${condition.replaceAll('/', '|')}`,
      config: () => [[`includeIf.${condition}.path`, '../included']],
      plant: (place) => {
        plantAttributes(place)
        const text = `[filter "evil"]\n\tclean = ${place.program}\n\tsmudge = ${place.program}\n`
        writeFileSync(join(place.root, 'included'), text)
      },
    }),
  ),
  {
    name: 'remote.uploadpack',
    config: (program) => [...partial('..'), ['remote.origin.uploadpack', program]],
    plant: plantMissing,
    sprungBy: LOAD,
  },
  { name: 'remote.vcs', config: () => [...partial('..'), ['remote.origin.vcs', 'ext']], plant: plantMissing },
  { name: 'remote.url ext::', config: (program) => partial(`ext::${program}`), plant: plantMissing, sprungBy: LOAD },
  {
    name: 'url.insteadOf',
    config: (program) => [...partial('https://example.invalid/x'), [`url.ext::${program} .insteadOf`, 'https://example.invalid/']],
    plant: plantMissing,
    sprungBy: LOAD,
  },
  {
    name: 'core.sshCommand',
    config: (program) => [...partial('ssh://nowhere.invalid/x'), ['core.sshCommand', program]],
    plant: plantMissing,
    sprungBy: LOAD,
  },
  {
    name: 'core.gitProxy',
    config: (program) => [...partial('git://nowhere.invalid/x'), ['core.gitProxy', program]],
    plant: plantMissing,
    sprungBy: LOAD,
  },
  {
    name: 'submodule',
    config: (program) => [
      ['submodule.sub.update', `!${program}`],
      ['submodule.recurse', 'true'],
      ['submodule.sub.url', `ext::${program}`],
      ['status.submoduleSummary', 'true'],
      ['diff.submodule', 'log'],
    ],
    plant: ({ root, linked, program }) => {
      for (const place of [root, linked]) {
        const sub = join(place, 'sub')
        execFileSync('git', ['init', '-q', sub])
        execFileSync('git', [...AUTHOR, 'commit', '-q', '--allow-empty', '-m', 'in it'], { cwd: sub })
        execFileSync('git', ['config', 'core.fsmonitor', program], { cwd: sub })
        const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: sub, encoding: 'utf8' }).trim()
        execFileSync('git', ['update-index', '--add', '--cacheinfo', `160000,${commit},sub`], { cwd: place })
        writeFileSync(join(place, '.gitmodules'), `[submodule "sub"]\n\tpath = sub\n\turl = ext::${program}\n`)
      }
    },
    sprungBy: STATUS,
  },
  {
    name: 'diff.external',
    config: (program) => [['diff.external', program]],
    sprungBy: [['diff', 'HEAD~1', '--ext-diff']],
  },
  {
    name: 'diff.command',
    config: (program) => [['diff.evil.command', program]],
    plant: plantAttributes,
    sprungBy: [['diff', 'HEAD~1', '--ext-diff']],
  },
  { name: 'diff.textconv', config: (program) => [['diff.evil.textconv', program]], plant: plantAttributes, sprungBy: SHOW },
  { name: 'merge.driver', config: (program) => [['merge.evil.driver', program]], plant: plantAttributes },
  {
    name: 'gpg.program',
    config: (program) => [
      ['gpg.program', program],
      ['gpg.openpgp.program', program],
      ['gpg.x509.program', program],
      ['gpg.ssh.program', program],
      ['log.showSignature', 'true'],
      ['commit.gpgSign', 'true'],
      ['tag.gpgSign', 'true'],
    ],
    plant: plantSigned,
    sprungBy: SHOW,
  },
  {
    name: 'gpg.ssh.defaultKeyCommand',
    config: (program) => [
      ['gpg.format', 'ssh'],
      ['gpg.ssh.defaultKeyCommand', program],
      ['commit.gpgSign', 'true'],
    ],
    sprungBy: COMMIT,
  },
  {
    name: 'credential.helper',
    config: (program) => [
      ['credential.helper', `!${program}`],
      ['credential.https://example.invalid.helper', `!${program}`],
    ],
  },
  { name: 'core.askPass', config: (program) => [['core.askPass', program]] },
  {
    name: 'editors',
    config: (program) => [
      ['core.editor', program],
      ['sequence.editor', program],
    ],
    sprungBy: [['commit', '--allow-empty']],
  },
  {
    name: 'pagers',
    config: (program) => [
      ['core.pager', program],
      ...['status', 'worktree', 'config', 'for-each-ref', 'rev-list', 'rev-parse', 'ls-tree', 'remote', 'branch'].map(
        (command): Setting => [`pager.${command}`, program],
      ),
      ['interactive.diffFilter', program],
    ],
  },
  {
    name: 'alias',
    config: (program) =>
      ['status', 'worktree', 'config', 'for-each-ref', 'rev-list', 'rev-parse', 'ls-tree', 'remote', 'st'].map((command) => [
        `alias.${command}`,
        `!${program}`,
      ]),
    sprungBy: [['st']],
  },
  {
    name: 'core.alternateRefsCommand',
    config: (program) => [
      ['core.alternateRefsCommand', program],
      ['remote.origin.url', '../lender'],
      ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
    ],
    plant: ({ root }) => {
      const lender = join(dirname(root), 'lender')
      execFileSync('git', ['clone', '-q', '--no-hardlinks', root, lender])
      writeFileSync(join(root, '.git/objects/info/alternates'), `${lender}/.git/objects\n`)
    },
    sprungBy: FETCH,
  },
  { name: 'uploadpack.packObjectsHook', config: (program) => [['uploadpack.packObjectsHook', program]] },
  {
    name: 'tools',
    config: (program) => [
      ...['browser', 'man', 'mergetool', 'difftool', 'guitool'].map((tool): Setting => [`${tool}.evil.cmd`, program]),
      ['trailer.evil.command', program],
      ['trailer.evil.cmd', program],
      ['trailer.evil.key', 'Evil'],
      ['trailer.evil.ifMissing', 'add'],
      ['sendemail.tocmd', program],
      ['init.templateDir', program],
      ['lfs.customtransfer.evil.path', program],
      ['lfs.standalonetransferagent', 'evil'],
      ['lfs.extension.evil.clean', program],
    ],
    sprungBy: [['interpret-trailers', '--trailer', 'Evil: x', '.git/HEAD']],
  },
  {
    name: 'core.worktree',
    config: () => [['core.worktree', '../../elsewhere']],
    plant: ({ root, program }) => {
      const elsewhere = join(dirname(root), 'elsewhere')
      mkdirSync(elsewhere, { recursive: true })
      writeFileSync(join(elsewhere, '.gitattributes'), '* filter=evil\n')
      writeFileSync(join(elsewhere, 'one.txt'), '2\n')
      execFileSync('git', ['config', 'filter.evil.clean', program], { cwd: root })
    },
    sprungBy: STATUS,
  },
]

/** A repository with a linked worktree, made once and copied for each trap. */
function template(folder: string): string {
  const made = join(folder, 'template')
  if (existsSync(made)) return made
  const root = join(made, 'app')
  mkdirSync(root, { recursive: true })
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: root, stdio: 'pipe' })
  git('init', '-q', '--template=', '-b', 'main')
  for (const name of ['hooks', 'info']) mkdirSync(join(root, '.git', name))
  for (const text of ['0\n', '1\n']) {
    writeFileSync(join(root, 'one.txt'), text)
    git('add', 'one.txt')
    git(...AUTHOR, 'commit', '-q', '-m', text.trim())
  }
  git('branch', 'other')
  git('worktree', 'add', '-q', '-b', 'linked', join(made, 'app-worktrees', 'linked'))
  return made
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

function configText([key, value]: Setting): string {
  const [section, ...rest] = key.split('.')
  const name = rest.pop()
  return `[${section}${rest.length === 0 ? '' : ` ${quoted(rest.join('.'))}`}]\n\t${name} = ${quoted(value)}\n`
}

type Place = {
  /** Where the template is kept. */
  readonly folder: string
  readonly place: string
  /** Where programs leave their names. */
  readonly sprung: string
}

/** As after a copy to another disk: git has to compare contents, because the times are others. */
export function plant(traps: readonly Trap[], { folder, place, sprung }: Place): Planted {
  cpSync(template(folder), place, { recursive: true })
  mkdirSync(sprung, { recursive: true })
  const planted: Planted = { root: join(place, 'app'), linked: join(place, 'app-worktrees', 'linked') }
  writeFileSync(join(planted.linked, '.git'), `gitdir: ${planted.root}/.git/worktrees/linked\n`)
  writeFileSync(join(planted.root, '.git/worktrees/linked/gitdir'), `${planted.linked}/.git\n`)
  for (const [at, trap] of traps.entries()) {
    const program = join(place, `program${at}`)
    writeFileSync(program, `#!/bin/sh\n: > '${join(sprung, trap.name)}'\n[ "$1" != pass ] || exec cat\n`, { mode: 0o755 })
    trap.plant?.({ ...planted, program })
    for (const setting of trap.config?.(program) ?? []) appendFileSync(join(planted.root, '.git/config'), configText(setting))
    rmSync(join(sprung, trap.name), { force: true })
  }
  return planted
}

export const sprungIn = (sprung: string): readonly string[] => (existsSync(sprung) ? readdirSync(sprung).sort() : [])

/** What somebody does who fears nothing. */
export function springWithPlainGit(trap: Trap, { root }: Planted): void {
  const env = { ...process.env, GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.c' }
  for (const command of trap.sprungBy ?? []) {
    try {
      execFileSync('git', command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 10_000 })
    } catch {
      // Whether git is content with it does not matter.
    }
  }
}
