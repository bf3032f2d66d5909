import { defineConfig } from 'vitest/config'
import { DurationsReporter, LongestFirst } from './scripts/testOrder.mjs'

const UNIT_TIMEOUT_MS = 60_000 // some compute for ten seconds, beside three others
const E2E_TIMEOUT_MS = 60_000 // starts real daemons and browsers, on machines that may be busy
const WORKERS = 4 // on two cores: unit tests compute, the others wait for half of their time
const AGENTS_TIMEOUT_MS = 240_000 // starts real agents, several times in a row, and may have to wait until they are installed

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/globalSetup.ts'],
    reporters: ['default', './scripts/plainReporter.mjs', new DurationsReporter()],
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
          maxWorkers: WORKERS,
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
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
          maxWorkers: WORKERS,
          maxConcurrency: 2, // real agents, a core each
          retry: 1, // the run ends by naming each test that needed it, and why; the goal is none
          testTimeout: E2E_TIMEOUT_MS,
          hookTimeout: E2E_TIMEOUT_MS,
          sequence: { groupOrder: 0 }, // no worker idles while another ends the last unit test
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
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
