/** The caller's environment as the daemon takes it: the daemon's allow-list decides what of it a program gets. */
export function inheritedEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) if (value !== undefined) inherited[name] = value
  return inherited
}
