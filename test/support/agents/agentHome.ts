import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { AgentName } from './installAgents.ts'

/** A user of the agents: a HOME in which their first-run questions are answered, and the environment that leads them to the model. */
export type AgentHome = {
  readonly path: string
  /** Real paths of directories that the agents trust. */
  readonly projects: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const KEY = 'sk-ant-made-up-000000000000000000000000000000000'

type Wish = {
  /** The state directory of the test's Holdfast: with it goes everything. */
  readonly inside: string
  readonly modelUrl: string
  /** The agents' programs. */
  readonly bins: readonly string[]
  readonly projects?: readonly string[]
}

export function makeAgentHome({ inside, modelUrl, bins, projects = ['project'] }: Wish): AgentHome {
  const path = join(inside, 'user')
  for (const folder of ['tmp', ...projects]) mkdirSync(join(path, folder), { recursive: true })
  const trusted = projects.map((name) => realpathSync(join(path, name)))
  const programs = [...new Set(bins.map((bin) => dirname(bin)))].join(':')
  const write = (name: string, content: string | object): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content, null, 1))
  }
  // A login shell sets PATH anew, so it stands where users put theirs.
  write('.bashrc', `PATH="${programs}:$PATH"\nPS1='prompt> '\n`)
  write('.profile', '. "$HOME/.bashrc"\n')
  for (const agent of Object.keys(SETUP) as AgentName[]) SETUP[agent]({ write, trusted, modelUrl })
  return { path, projects: trusted, env: environmentOf(path, { modelUrl, programs }) }
}

type Setup = {
  readonly write: (name: string, content: string | object) => void
  readonly trusted: readonly string[]
  readonly modelUrl: string
}

const SETUP: Readonly<Record<AgentName, (setup: Setup) => void>> = {
  claude: ({ write, trusted }) => {
    const known = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, projectOnboardingSeenCount: 3, allowedTools: [] }
    write('.claude.json', {
      hasCompletedOnboarding: true,
      lastOnboardingVersion: '2.1.325',
      theme: 'dark',
      numStartups: 5,
      autoUpdates: false,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: Object.fromEntries(trusted.map((project) => [project, known])),
    })
    write('.claude/settings.json', { env: { DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' } })
  },
  codex: ({ write, trusted, modelUrl }) => {
    const projects = trusted.map((project) => `[projects."${project}"]\ntrust_level = "trusted"\n`)
    write(
      '.codex/config.toml',
      `model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"

[analytics]
enabled = false

${projects.join('\n')}`,
    )
  },
  gemini: ({ write, trusted }) => {
    write('.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      ui: { theme: 'Default', hideTips: true },
    })
    write('.gemini/trustedFolders.json', Object.fromEntries(trusted.map((project) => [project, 'TRUST_FOLDER'])))
  },
  opencode: ({ write, modelUrl }) => {
    const options = { baseURL: `${modelUrl}/v1`, apiKey: 'made-up' }
    const models = { 'fake-model': { name: 'Fake Model', limit: { context: 100_000, output: 4_096 } } }
    write('.config/opencode/opencode.json', {
      autoupdate: false,
      share: 'disabled',
      model: 'fake/fake-model',
      small_model: 'fake/fake-model',
      provider: { fake: { npm: '@ai-sdk/openai-compatible', name: 'Fake', options, models } },
    })
  },
}

/** Only names that a Holdfast terminal lets through. */
function environmentOf(path: string, { modelUrl, programs }: { modelUrl: string; programs: string }): Record<string, string> {
  return {
    HOME: path,
    TMPDIR: join(path, 'tmp'),
    PATH: `${programs}:${process.env['PATH'] ?? ''}`,
    SHELL: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
    LANG: 'C.UTF-8',
    XDG_CONFIG_HOME: join(path, '.config'),
    XDG_DATA_HOME: join(path, '.local/share'),
    XDG_STATE_HOME: join(path, '.local/state'),
    XDG_CACHE_HOME: join(path, '.cache'),
    // Whoever wants to leave the machine is refused at once instead of waiting for a network that may not be there.
    HTTPS_PROXY: modelUrl,
    NO_PROXY: '127.0.0.1,localhost',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    OPENAI_API_KEY: 'made-up',
    GEMINI_API_KEY: 'made-up',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_TELEMETRY_ENABLED: 'false',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  }
}
