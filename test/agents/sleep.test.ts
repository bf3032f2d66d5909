/** The story of `test/e2e/sleepAgents.test.ts`, in a real browser, with the agents that are not in the ordinary line. */
import { test } from 'vitest'
import type { AgentName } from '../support/agents/installAgents.ts'
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

const OTHERS: readonly AgentName[] = ['codex', 'gemini', 'opencode']

test.for(OTHERS)(
  '%s put to sleep in the page stays where it is moved, and goes on with its conversation when it is woken, and after reboots',
  {
    timeout: INSTALL_TIMEOUT_MS,
  },
  async (agent, context) => {
    await using bench = await benchWith(context, [agent])
    await using story = await SleepStory.begin(agent, bench)
    await fallsAsleep(story)
    await staysAsleep(story)
    await wakesUp(story)
    await survivesReboot(story)
    await story.expectGoesOn('THREE', ['SECRET', 'TWO'])
    await survivesRebootWhileItSettles(story)
    // An agent that is left with its keys takes back a prompt that it has not answered.
    const isTakenBack = agent === 'gemini'
    await story.expectGoesOn('FIVE', ['SECRET', 'TWO', 'THREE', ...(isTakenBack ? [] : ['FOUR'])], isTakenBack ? ['FOUR'] : [])
    await isForcedToSleep(story)
  },
)
