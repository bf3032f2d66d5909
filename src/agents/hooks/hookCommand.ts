/**
 * What an agent runs when something happens: one line of shell that reports it to Holdfast. Outside a terminal of Holdfast, or
 * where Holdfast is gone, it only reads what it is given; it says nothing and never fails.
 */
export function hookCommand({
  agent,
  event,
  program,
}: {
  readonly agent: string
  readonly event: string
  readonly program: string
}): string {
  // The one that wrote the hook comes first: a project may have put another `holdfast` into PATH.
  const find = `{ h=${shellQuoted(program)}; [ -x "$h" ] || h=$(command -v holdfast); }`
  const report = `"$h" agent report ${agent} --event ${event}`
  return `if [ -n "$HOLDFAST_TERMINAL_ID" ] && ${find} && [ -x "$h" ]; then ${report}; else cat; fi >/dev/null 2>&1; exit 0`
}

/** Whichever version wrote it, and wherever Holdfast was then. */
export const isOurCommand = (command: string): boolean =>
  command.includes('$HOLDFAST_TERMINAL_ID') && /\bagent report [a-z]+ --event [A-Za-z.]+/.test(command)

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
