/** Starts the longest test files first, so that none of them runs alone at the end, and measures how long each takes. */
import { relative, sep } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import { keepMeasured, readDurations } from './durations.mjs'

/** Within each project. A file that was never measured counts as long; among such files the order is Vitest's own. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const { root } = this.ctx.config
    const durations = readDurations(root)
    const secondsOf = ({ moduleId }) => durations[relative(root, moduleId).split(sep).join('/')] ?? Number.POSITIVE_INFINITY
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    return projects.flatMap((name) =>
      sorted
        .filter(({ project }) => project.name === name)
        .sort((a, b) => (secondsOf(a) < secondsOf(b) ? 1 : secondsOf(a) > secondsOf(b) ? -1 : 0)),
    )
  }
}

/** Not of files that failed or were skipped, and not of a run of chosen tests: they take longer or shorter than they do. */
export class DurationsReporter {
  #vitest = null

  onInit(vitest) {
    this.#vitest = vitest
  }

  onTestRunEnd(modules) {
    const { root, testNamePattern } = this.#vitest.config
    const whole = testNamePattern === undefined ? modules.filter((module) => module.state() === 'passed') : []
    keepMeasured(root, Object.fromEntries(whole.map((module) => [module.relativeModuleId, secondsOf(module.diagnostic())])))
  }
}

const secondsOf = ({ environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration }) =>
  (environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration) / 1000
