/** config.toml, read at the start and whenever it changes. A bad file is refused by name and line; the last good values stay. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { isUserAgent } from '../agents/userAgents.ts'
import { systemReason } from '../base/systemReason.ts'
import type { Store } from '../store/store.ts'
import { type Config, defaultConfig, parseConfig } from '../wire/config.ts'
import type { Paths } from '../wire/paths.ts'
import { sameValue } from '../workspace/sameValue.ts'
import type { Daemon } from './daemon.ts'

const LOOK_EVERY_MS = 2_000
const LAST_GOOD = 'config.last-good'

export type Settings = { readonly config: Config; readonly trouble: string | null }

export async function loadSettings(paths: Paths, store: Store): Promise<Settings> {
  const read = readConfig(paths.config)
  if (read.ok) {
    if (read.text !== (await store.setting(LAST_GOOD))) await store.keepSetting(LAST_GOOD, read.text).catch(() => undefined) // a full disk costs this copy only
    return { config: read.config, trouble: null }
  }
  const lastGood = parseConfig((await store.setting(LAST_GOOD)) ?? '')
  return { config: lastGood.ok ? lastGood.config : defaultConfig, trouble: read.why }
}

const writtenAgents = ({ agents }: Config): unknown => agents.filter(isUserAgent).map(({ id, written }) => [id, written])

export function watchConfig(daemon: Daemon, settings: Settings): () => void {
  const file = daemon.paths.config
  daemon.configTrouble = settings.trouble
  const reload = async (): Promise<void> => {
    const { config, trouble } = await loadSettings(daemon.paths, daemon.store)
    daemon.configTrouble = trouble
    daemon.log.info({ trouble }, 'config.toml changed')
    if (trouble !== null) return
    const offersChanged = !sameValue(config.resume, daemon.config.resume) || !sameValue(writtenAgents(config), writtenAgents(daemon.config))
    daemon.config = config
    if (offersChanged) for (const { id } of daemon.registry.all()) daemon.announceTerminal(id)
    daemon.log.level = config.logLevel
    daemon.sizes.setPolicy(config.sizePolicy)
    daemon.indexer.configured()
  }
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs) void reload() // the first look at a missing file counts as a change
  })
  return () => unwatchFile(file)
}

function readConfig(file: string): { ok: true; text: string; config: Config } | { ok: false; why: string } {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return { ok: false, why: `config.toml cannot be read: ${systemReason(error)}` }
    text = ''
  }
  const parsed = parseConfig(text)
  if (parsed.ok) return { ok: true, text, config: parsed.config }
  const [first] = parsed.problems
  return { ok: false, why: `config.toml, line ${first?.line}: ${first?.message}. The last good values are in force.` }
}
