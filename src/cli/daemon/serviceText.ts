/** The files that start the daemon at login: a unit for systemd, a property list for launchd. */
export type Start = {
  readonly node: string
  /** The script that Node runs. */
  readonly program: string
  /** Null: the default. */
  readonly home: string | null
  /** PATH for programs that the page starts: a service has a short one. */
  readonly path: string
  /** For the error of a failed start. */
  readonly errorLog: string
}

export const UNIT = 'holdfast.service'
export const LABEL = 'holdfast.daemon'

const ARGUMENTS = ['daemon', 'start', '--foreground'] as const

/** A percent sign begins a specifier everywhere in a unit. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('%', '%%')}"`

/** In arguments, but not in the path of the program, a dollar sign begins a variable. */
const argument = (text: string): string => quoted(text).replaceAll('$', '$$$$')

const variable = (name: string, value: string): string => `Environment=${quoted(`${name}=${value}`)}`

export function unitText({ node, program, home, path }: Start): string {
  return `# Written by holdfast service install. Remove it with holdfast service remove.
[Unit]
Description=Holdfast, terminals that outlive you
StartLimitIntervalSec=60
StartLimitBurst=5

[Service]
ExecStart=${quoted(node)} ${[program, ...ARGUMENTS].map(argument).join(' ')}
${home === null ? '' : `${variable('HOLDFAST_HOME', home)}\n`}${variable('PATH', path)}
# Only the daemon: the programs in your terminals run on when it is stopped or restarted.
KillMode=process
OOMPolicy=continue
TimeoutStopSec=15
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const string = (text: string): string => `<string>${escaped(text)}</string>`
const pair = (key: string, value: string): string => `    <key>${key}</key>\n    ${string(value)}`

export function plistText({ node, program, home, path, errorLog }: Start): string {
  const variables = [...(home === null ? [] : [pair('HOLDFAST_HOME', home)]), pair('PATH', path)]
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${string(LABEL)}
  <key>ProgramArguments</key>
  <array>
${[node, program, ...ARGUMENTS].map((word) => `    ${string(word)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardErrorPath</key>
  ${string(errorLog)}
</dict>
</plist>
`
}

/** Ignores PATH, which may change every day. */
export const startsTheSame = (one: string, other: string): boolean => withoutPath(one) === withoutPath(other)

const withoutPath = (text: string): string =>
  text.replace(/^Environment="PATH=.*$/m, '').replace(/<key>PATH<\/key>\s*<string>[^<]*<\/string>/, '')
