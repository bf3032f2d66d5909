import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const E2E_TIMEOUT_MS = 60_000 // starts real daemons and browsers, on machines that may be busy
const AGENTS_TIMEOUT_MS = 240_000 // starts real agents, several times in a row, and may have to wait until they are installed

/** Those that take longest, whatever their size: begun last, one of them would run alone at the end. */
const LONG =
  /\/(agents|agentMatrix|sleepAgents|wrappedAgents|torture|crash|damage|trips|wake|resume|recovery|history|agentWatch|recordings|salvage|durability|output|pty)\.test\.ts$/

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(({ moduleId }) => LONG.test(moduleId)), ...sorted.filter(({ moduleId }) => !LONG.test(moduleId))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    globalSetup: ['test/support/globalSetup.ts'],
    reporters: ['default', './scripts/plainReporter.mjs'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,scripts,bench,test/support,test/fuzz}/**/*.test.{ts,tsx,mjs}'],
          setupFiles: ['test/support/setup.ts'],
          globalSetup: [],
          pool: 'forks',
          isolate: false, // no file changes what it loads, and loading it anew for each takes a minute
          maxWorkers: 2,
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          setupFiles: ['test/support/setup.ts'],
          globalSetup: ['test/support/agents/installEarly.ts'],
          pool: 'forks',
          isolate: false,
          maxWorkers: 3, // on two cores: they wait more than they work
          maxConcurrency: 2, // real agents, a core each
          retry: 1, // real processes on a busy machine; the run ends by naming each test that needed it, and why
          testTimeout: E2E_TIMEOUT_MS,
          hookTimeout: E2E_TIMEOUT_MS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'agents',
          include: ['test/agents/**/*.test.ts'],
          setupFiles: ['test/support/setup.ts'],
          globalSetup: ['test/support/agents/installEarly.ts'],
          pool: 'forks',
          maxWorkers: 2,
          maxConcurrency: 2, // real agents, a core each
          testTimeout: AGENTS_TIMEOUT_MS,
          hookTimeout: AGENTS_TIMEOUT_MS,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
