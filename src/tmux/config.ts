/**
 * The configuration of our own tmux server: invisible, takes no key, keeps everything. There is no `unbind -a`, which
 * destroys key tables; without a prefix and without other clients, no binding is ever reached.
 */
const HISTORY_LINES = 50_000

const SETTINGS: readonly (readonly [setting: string, why: string])[] = [
  ['set -g prefix None', 'no key is taken from the program'],
  ['set -g prefix2 None', ''],
  ['set -g status off', 'every row is the program’s'],
  ['set -g mouse off', 'with it on, the wheel would enter copy mode; the page has its own scrollback'],
  ['set -s escape-time 0', 'Escape is a key, not the beginning of one'],
  ['set -g destroy-unattached off', 'programs outlive whoever looks at them'],
  ['set -s exit-unattached off', ''],
  ['set -g detach-on-destroy on', 'a client of one program is never shown another one'],
  [`set -g history-limit ${HISTORY_LINES}`, ''],
  ['set -g default-terminal xterm-256color', 'what the screen understands'],
  ['set -s extended-keys off', 'two keyboard protocols at once double keys'],
  [
    'set -as terminal-features ",*:RGB:usstyle:clipboard:hyperlinks:strikethrough:overline"',
    'colours and underlines as the program means them',
  ],
  ['set -as terminal-overrides ",*:Smulx=\\E[4::%p1%dm:Setulc=\\E[58::2::::%p1%{65536}%/%d::%p1%{256}%/%{255}%&%d::%p1%{255}%&%d%;m"', ''],
  ['set -s set-clipboard off', 'the page asks before a program may copy'],
  ['set -g allow-rename off', 'names are ours'],
  ['set -g automatic-rename off', ''],
  ['set -g update-environment ""', 'each start brings its own environment'],
  ['set -g remain-on-exit on', 'how a program ended is told after it has'],
  ['set -gq remain-on-exit-format ""', ''],
]

/** tmux reads it once, when the server starts. */
export const configText = (): string =>
  [
    '# The tmux that Holdfast keeps programs in. It is written anew whenever it is needed: changes are lost.',
    ...SETTINGS.map(([setting, why]) => (why === '' ? setting : `# ${why}\n${setting}`)),
    '',
  ].join('\n')
