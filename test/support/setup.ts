import process from 'node:process'

/** In each test worker: what a test puts under os.tmpdir() lands in the run's own root, where a leftover is noticed. */
const root = process.env['HOLDFAST_TEST_ROOT']
if (root === undefined) throw new Error('HOLDFAST_TEST_ROOT is missing: run tests through vitest.config.ts')
process.env['TMPDIR'] = root
