import { defineConfig } from 'vitest/config'

const E2E_TIMEOUT_MS = 60_000 // starts real daemons and browsers, on machines that may be busy

export default defineConfig({
  test: {
    globalSetup: ['test/support/globalSetup.ts'],
    reporters: ['default', './scripts/plainReporter.mjs'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,scripts,bench,test/support}/**/*.test.{ts,tsx,mjs}'],
          setupFiles: ['test/support/setup.ts'],
          globalSetup: [],
          pool: 'forks',
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
          globalSetup: [],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: E2E_TIMEOUT_MS,
          hookTimeout: E2E_TIMEOUT_MS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
