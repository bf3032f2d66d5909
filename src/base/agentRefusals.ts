/** The refusals about starting and resuming programs; part of the table in `refusal.ts`. */
export const no = <Code extends string>(code: Code, message: string, hint: string) => ({ code, message, hint })

type UnsureResume = {
  readonly ran: string
  readonly instead: string
  readonly why: string
  /** Whether the user can choose the other command line. */
  readonly isOffered: boolean
}

export const AGENT_REFUSALS = {
  startFailed: (reason: string) => no('start-failed', `cannot start the program: ${reason}.`, 'Run holdfast daemon logs for details.'),
  resumeFailed: (id: string, reason: string) =>
    no(
      'resume-failed',
      `cannot resume "${id}": ${reason}.`,
      `Try holdfast wake ${id} again, choose another conversation with --conversation ID, or start it fresh with --fresh.`,
    ),
  conversationGone: (id: string, agent: string, conversation: string) =>
    no(
      'conversation-gone',
      `The conversation ${conversation} of ${agent} is gone: its transcript no longer exists.`,
      `Start a new one with holdfast wake ${id} --fresh, or resume another one with --conversation ID.`,
    ),
  resumeUnsure: (id: string, { ran, instead, why, isOffered }: UnsureResume) =>
    no(
      'resume-unsure',
      `cannot resume "${id}": its agent was started by "${ran}", and it is not certain how to start it that way again: ${why}. Instead, "${instead}" would run.`,
      `${isOffered ? `Run that with holdfast wake ${id} --as-shown` : `Resume a conversation that you name with holdfast wake ${id} --conversation ID`}, or start it fresh with --fresh.`,
    ),
  conversationNotCertain: (id: string, why: string) =>
    no(
      'conversation-not-certain',
      `cannot resume "${id}": its conversation is not known, and ${why}.`,
      `Resume the one that you choose with holdfast wake ${id} --conversation ID, or start it fresh with --fresh.`,
    ),
  conversationTaken: (conversation: string, owner: string) =>
    no(
      'conversation-taken',
      `The conversation ${conversation} belongs to the terminal ${owner}.`,
      `Resume it there with holdfast wake ${owner}, or close that terminal first.`,
    ),
  conversationInvalid: (id: string) =>
    no(
      'conversation-invalid',
      `${JSON.stringify(id)} is not a valid conversation id.`,
      'An id has up to 128 letters, digits and . _ : - and begins with a letter or a digit.',
    ),
  conversationNotOf: (id: string, agent: string) =>
    no('conversation-invalid', `${JSON.stringify(id)} is not a valid conversation id of ${agent}.`, 'Copy the id as the agent shows it.'),
  conversationUnsupported: (command: string, known: readonly string[]) =>
    no(
      'conversation-unsupported',
      `"${command}" cannot resume a conversation by its id.`,
      `These agents can: ${known.join(', ')}. Omit --conversation.`,
    ),
  hooksUnsupported: (agent: string, known: readonly string[]) =>
    no(
      'hooks-unsupported',
      `Holdfast has no hooks for "${agent}".`,
      `Agents with hooks: ${known.join(', ')}. The others work without hooks.`,
    ),
  hooksUnusable: (file: string, why: string) =>
    no('hooks-unusable', `cannot change ${file}: it ${why}.`, 'Repair the file and try again. Hooks are optional.'),
  hooksFailed: (file: string, why: string) =>
    no('hooks-failed', `cannot change ${file}: ${why}.`, 'Nothing was changed. Check its permissions and try again.'),
  agentNotFound: (label: string, directory: string) =>
    no(
      'agent-not-found',
      `${label} was not found: it is not in PATH, and ${directory} does not exist.`,
      'Install it first, or give the directory of its settings with --config-dir.',
    ),
} as const
