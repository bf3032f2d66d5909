import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { KEY, SETUP } from './agentSetups.ts'
import type { AgentName } from './installAgents.ts'

/** A user of the agents: a HOME in which their first-run questions are answered, and the environment that leads them to the model. */
export type AgentHome = {
  readonly path: string
  /** Real paths of directories that the agents trust. */
  readonly projects: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

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
  for (const folder of ['tmp', 'bin', ...projects]) mkdirSync(join(path, folder), { recursive: true })
  const trusted = projects.map((name) => realpathSync(join(path, name)))
  const programs = [join(path, 'bin'), ...new Set(bins.map((bin) => dirname(bin)))].join(':')
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
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: 'fake-model',
    PI_OFFLINE: '1',
    PI_SKIP_VERSION_CHECK: '1',
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: 'made-up',
    COPILOT_MODEL: 'fake-model',
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_MODELS_FETCH: '1',
  }
}
