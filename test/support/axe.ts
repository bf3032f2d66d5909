import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

type Violation = {
  readonly id: string
  readonly impact: string | null
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}
type Axe = { readonly axe: { run(options: object): Promise<{ readonly violations: readonly Violation[] }> } }

/** What somebody who cannot see well, or has no mouse, would stumble over, one line each. */
export async function barriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  // Half faded in, everything is hard to read.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  const { violations } = await page.evaluate(() => (globalThis as unknown as Axe).axe.run({ resultTypes: ['violations'] }))
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    )
}
