/**
 * Ends a test run with one plain line that people and scripts can read: `12 passed, 0 failed, 1 skipped`,
 * after naming every test that passed only on its second try: a race to be found, in the test or in the product.
 */
export default class PlainReporter {
  #counts = { passed: 0, failed: 0, skipped: 0 }
  #second = []

  /** Printed at exit, because what is found after the last test (something left behind) fails the run as well. */
  onInit() {
    process.once('exit', (code) => {
      const { passed, failed, skipped } = this.#counts
      const other = code !== 0 && failed === 0 ? 1 : 0
      for (const line of this.#second) process.stdout.write(`${line}\n`)
      process.stdout.write(`${passed} passed, ${failed + other} failed, ${skipped} skipped\n`)
    })
  }

  onTestRunEnd(modules) {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      const before = counts.failed
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (test.diagnostic()?.flaky)
          this.#second.push(`needed a second try: ${module.relativeModuleId} > ${test.fullName}`, ...beginningOf(errors?.[0]))
        counts[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1
      }
      if (module.state() === 'failed' && counts.failed === before) counts.failed += 1 // it did not load
    }
    this.#counts = counts
  }
}

/** What went wrong, and where. */
const beginningOf = (error) => error?.stack?.split('\n').slice(0, 4) ?? []
