import type { AgentName } from './installAgents.ts'

export const KEY = 'sk-ant-made-up-000000000000000000000000000000000'

/** Writes the settings with which an agent starts without its first questions, and finds the model. */
type Setup = {
  readonly write: (name: string, content: string | object) => void
  readonly trusted: readonly string[]
  readonly modelUrl: string
}

export const SETUP: Readonly<Record<AgentName, (setup: Setup) => void>> = {
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
  opencode: ({ write, modelUrl }) => write('.config/opencode/opencode.json', openCodeConfig(modelUrl)),
  qwen: ({ write, modelUrl }) => {
    write('.qwen/settings.json', {
      security: {
        auth: { selectedType: 'openai', apiKey: 'made-up', baseUrl: `${modelUrl}/v1` },
        folderTrust: { enabled: false },
      },
      model: { name: 'fake-model' },
      general: { enableAutoUpdate: false },
      tools: { approvalMode: 'default' },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    })
  },
  pi: ({ write, modelUrl }) => {
    const fake = { baseUrl: `${modelUrl}/v1`, api: 'openai-completions', apiKey: 'made-up', models: [{ id: 'fake-model' }] }
    write('.pi/agent/models.json', { providers: { fake } })
    write('.pi/agent/settings.json', {
      defaultProvider: 'fake',
      defaultModel: 'fake-model',
      compaction: { keepRecentTokens: 1 }, // else it finds a short conversation not worth a summary
    })
  },
  copilot: ({ write, trusted }) => write('.copilot/config.json', { trusted_folders: trusted, trustedFolders: trusted, banner: 'never' }),
  kilo: ({ write, modelUrl }) => write('.config/kilo/kilo.json', openCodeConfig(modelUrl)),
  cline: ({ write, modelUrl }) => {
    const settings = { provider: 'openai-compatible', apiKey: 'made-up', model: 'fake-model', baseUrl: `${modelUrl}/v1` }
    write('.cline/data/settings/providers.json', {
      version: 1,
      lastUsedProvider: settings.provider,
      modes: {},
      providers: { [settings.provider]: { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' } },
    })
    // Shown once each, and they swallow the first prompt.
    write('.cline/data/settings/cli-notices.json', { shown: { 'cline-cli-cline-pass-intro': true, 'cline-cli-desktop-launch': true } })
  },
}

/** Opencode's, and that of its descendant kilo. */
function openCodeConfig(modelUrl: string): object {
  const options = { baseURL: `${modelUrl}/v1`, apiKey: 'made-up' }
  const models = { 'fake-model': { name: 'Fake Model', limit: { context: 100_000, output: 4_096 } } }
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'fake/fake-model',
    small_model: 'fake/fake-model',
    agent: { careful: { description: 'Asks first', mode: 'primary', permission: { bash: 'ask' } } },
    provider: { fake: { npm: '@ai-sdk/openai-compatible', name: 'Fake', options, models } },
  }
}
