/** The real Claude Code in a real browser: put to sleep, moved, woken, and the morning after. The other agents are in `test/agents`. */
import { expect, test } from 'vitest'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import {
  fallsAsleep,
  isForcedToSleep,
  staysAsleep,
  survivesReboot,
  survivesRebootWhileItSettles,
  wakesUp,
} from '../support/agents/sleepScenes.ts'
import { SleepStory } from '../support/agents/sleepStory.ts'
import { shows, showsStill } from '../support/pages.ts'

test('claude put to sleep is a picture that costs nothing, stays where it is moved, and goes on with its conversation when it is woken', {
  timeout: INSTALL_TIMEOUT_MS,
}, async (context) => {
  await using bench = await benchWith(context, ['claude'])
  await using story = await SleepStory.begin('claude', bench)
  await fallsAsleep(story)
  await staysAsleep(story)
  await wakesUp(story)
  expect(story.browser.complaints).toEqual([])
})

test('claude goes on with its conversation after a reboot, and after one while it was forced to sleep', {
  timeout: INSTALL_TIMEOUT_MS,
}, async (context) => {
  await using bench = await benchWith(context, ['claude'])
  await using story = await SleepStory.begin('claude', bench)
  await survivesReboot(story, () => showsStill(story.page, /MARK-SECRET[\s\S]*REPLY users=1 marks=SECRET/, story.id))
  await story.expectGoesOn('THREE', ['SECRET'])
  await survivesRebootWhileItSettles(story)
  await story.expectGoesOn('FIVE', ['SECRET', 'THREE', 'FOUR'])
  await isForcedToSleep(story)
  await story.rest.getByRole('button', { name: 'History' }).click()
  await shows(story.page, /REPLY users=2 marks=SECRET\+THREE[\s\S]*── asleep for .+, woken .+ ──/, { id: story.id })
})
