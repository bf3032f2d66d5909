import { wordsOf } from '../../agents/flags/flagTable.ts'
import type { TerminalId } from '../../base/ids.ts'

/**
 * The environment of a program, built anew at each wake from what the user's session has then: sockets and displays
 * go stale. It starts from nothing and takes what is allowed by name, because a copied environment tells an agent
 * that it runs inside another agent, and a Holdfast inside a Holdfast that it is the outer one.
 */
export type EnvironmentSources = {
  readonly inherited: Readonly<Record<string, string | undefined>>
  /** Names that the user's configuration lets through in addition; `*` stands for any characters. */
  readonly allow: readonly string[]
  /** What the user set for this terminal: it wins over everything but our own variables. */
  readonly set: Environment
  readonly terminal: TerminalId
  readonly socket: string
  /** So that `holdfast` typed inside a terminal speaks to the instance that the terminal is in. */
  readonly home: string
}

/** What a program may inherit. A name that is missing here can be added by the user's configuration. */
export const ALLOWED: readonly string[] = [
  ...wordsOf(`
    HOME USER LOGNAME SHELL PATH MANPATH INFOPATH TMPDIR TZ LANG LANGUAGE LC_* SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS
    KRB5CCNAME GNUPGHOME DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_* DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION BROWSER
    WSL_DISTRO_NAME WSL_INTEROP WSLENV __CF_USER_TEXT_ENCODING EDITOR VISUAL PAGER LESS LESSOPEN LESSCLOSE LESSCHARSET
    LS_COLORS LSCOLORS CLICOLOR http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY
    NO_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
  `),
  // The committer and how to reach the remote; never GIT_DIR or GIT_INDEX_FILE, which a hook leaves behind.
  ...wordsOf(`
    GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_SSH GIT_SSH_COMMAND GIT_CONFIG_GLOBAL
  `),
  // Where tools live, for programs that are started without a login shell.
  ...wordsOf(`
    NVM_DIR NVM_BIN FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR PYENV_ROOT RBENV_ROOT ASDF_* MISE_* CARGO_HOME
    RUSTUP_HOME GOPATH GOROOT JAVA_HOME ANDROID_HOME HOMEBREW_* NIX_PATH NIX_PROFILES DOCKER_HOST KUBECONFIG
  `),
  // What agents are configured with: keys, endpoints, models, directories.
  ...wordsOf(`
    ANTHROPIC_* OPENAI_* AZURE_OPENAI_* GEMINI_* GOOGLE_* CLOUD_ML_REGION VERTEX_* AWS_* MISTRAL_API_KEY OPENROUTER_API_KEY
    GROQ_API_KEY XAI_API_KEY DEEPSEEK_API_KEY GH_TOKEN GH_HOST GITHUB_TOKEN COPILOT_* CLAUDE_CONFIG_DIR CLAUDE_CODE_OAUTH_TOKEN
    CLAUDE_CODE_USE_* CLAUDE_CODE_SKIP_* CLAUDE_CODE_MAX_* CLAUDE_CODE_DISABLE_* CLAUDE_CODE_ENABLE_* CLAUDE_CODE_CLIENT_*
    CLAUDE_CODE_SUBAGENT_MODEL CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_SHELL CODEX_HOME CODEX_API_KEY
    CODEX_CA_CERTIFICATE OPENCODE_* QWEN_* KILO_* CLINE_* PI_*
  `),
]

/** Left behind by a program that we may have been started in; never inherited, whatever else is allowed. */
export const MARKERS: readonly string[] = [
  ...wordsOf(`
    CLAUDECODE CLAUDE_PID CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_* CLAUDE_CODE_CHILD_*
    CLAUDE_CODE_REMOTE* CLAUDE_ENV_FILE CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_* CLAUDE_AGENT_* AGENT AI_AGENT CODEX_SANDBOX*
    CODEX_THREAD_* CODEX_SESSION_* CODEX_CI GEMINI_CLI GEMINI_CLI_NO_RELAUNCH GEMINI_CLI_IDE_* OPENCODE OPENCODE_PID
    OPENCODE_CALLER OPENCODE_CLIENT OPENCODE_PROCESS_* OPENCODE_RUN_* OPENCODE_SESSION_* QWEN_CODE QWEN_CODE_NO_RELAUNCH
    QWEN_CODE_IDE_* KILO KILO_PID KILO_SESSION_* CLINE_ACTIVE COPILOT_CLI COPILOT_SESSION_* TMUX TMUX_PANE STY WINDOW ZELLIJ*
    TERM_PROGRAM* TERM_SESSION_ID VSCODE_* INSIDE_EMACS NODE_OPTIONS NODE_CHANNEL_* NODE_UNIQUE_ID NODE_PATH npm_* INIT_CWD
    VITEST* NOTIFY_SOCKET LISTEN_* INVOCATION_ID
  `),
]

const isAllowed = matcher(ALLOWED)
const isMarker = matcher(MARKERS)
const isOurs = matcher(['HOLDFAST_*'])

export function environmentFor({ inherited, allow, set, terminal, socket, home }: EnvironmentSources): Environment {
  const isAllowedByUser = matcher(allow)
  const passes = (name: string): boolean => (isAllowed(name) || isAllowedByUser(name)) && !isMarker(name) && !isOurs(name)
  return {
    ...pick(inherited, passes),
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    ...pick(set, (name) => !isOurs(name)),
    HOLDFAST_TERMINAL_ID: terminal,
    HOLDFAST_SOCKET: socket,
    HOLDFAST_HOME: home,
  }
}

function pick(from: Readonly<Record<string, string | undefined>>, passes: (name: string) => boolean): Environment {
  const picked = Object.entries(from).flatMap(([name, value]) =>
    value !== undefined && isPassable(name, value) && passes(name) ? [[name, value]] : [],
  )
  return Object.fromEntries(picked)
}

export type Environment = Readonly<Record<string, string>>

/** What `execve` can carry: a NUL would cut the value short, an `=` would move the border between name and value. */
export function isPassable(name: string, value: string): boolean {
  return name !== '' && !name.includes('=') && !name.includes('\0') && !value.includes('\0')
}

/** Whether a name fits one of the patterns, in which `*` stands for any characters. */
export function matcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const open = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'))
  return (name) => exact.has(name) || open.some((parts) => fits(name, parts))
}

/** Each part is taken at its first occurrence after the one before it: linear, however many stars there are. */
function fits(name: string, parts: readonly string[]): boolean {
  const first = parts.at(0) ?? ''
  const last = parts.at(-1) ?? ''
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  const end = name.length - last.length
  let from = first.length
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from)
    if (at === -1 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}
