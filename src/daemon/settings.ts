/** config.toml, read at the start and whenever it changes. A bad file is refused by name and line; the last good values stay. */
import { unwatchFile, watchFile } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isUserAgent } from '../agents/userAgents.ts'
import { systemReason } from '../base/systemReason.ts'
import { readIfThere } from '../client/wholeFile.ts'
import type { Store } from '../store/store.ts'
import { type Config, defaultConfig, parseConfig } from '../wire/config.ts'
import type { PageSettings } from '../wire/pageSettings.ts'
import type { Paths } from '../wire/paths.ts'
import { sameValue } from '../workspace/sameValue.ts'
import type { Daemon } from './daemon.ts'
import { watchDirectory } from './watchDirectory.ts'

/** For a file that is a link to elsewhere, and where a directory cannot be watched. */
const LOOK_EVERY_MS = 2_000
/** An editor empties the file before it writes it: what is there in between is nobody's wish. */
const CALM_AFTER_MS = 60
const LAST_GOOD = 'config.last-good'

export type Settings = {
  readonly config: Config
  readonly trouble: string | null
  /** As it was read; null where it could not be. */
  readonly text: string | null
}

export async function loadSettings(paths: Paths, store: Store): Promise<Settings> {
  const read = readConfig(paths.config)
  if (read.ok) {
    if (read.text !== (await store.setting(LAST_GOOD))) await store.keepSetting(LAST_GOOD, read.text).catch(() => undefined) // a full disk costs this copy only
    return { config: read.config, trouble: null, text: read.text }
  }
  const lastGood = parseConfig((await store.setting(LAST_GOOD)) ?? '')
  return { config: lastGood.ok ? lastGood.config : defaultConfig, trouble: read.why, text: read.text }
}

export const pageSettings = ({ page }: Config): PageSettings => ({ ...page, keys: { ...page.keys } })

const writtenAgents = ({ agents }: Config): unknown => agents.filter(isUserAgent).map(({ id, written }) => [id, written])

/** Reads the file again whenever it changes; `daemon.rereadConfig` does so at once. */
export function watchConfig(daemon: Daemon, settings: Settings): () => void {
  daemon.configTrouble = settings.trouble
  let { text } = settings
  let reading = Promise.resolve()
  const reread = async (): Promise<void> => {
    const read = await loadSettings(daemon.paths, daemon.store)
    if (read.text !== null && read.text === text) return
    text = read.text
    daemon.configTrouble = read.trouble
    daemon.log.info({ trouble: read.trouble }, 'config.toml changed')
    if (read.trouble === null) takeEffect(daemon, read.config)
  }
  const inTurn = (): Promise<void> => {
    reading = reading
      .then(reread)
      .catch((error: Error) => daemon.log.error({ error: error.message }, 'config.toml could not be read again'))
    return reading
  }
  daemon.rereadConfig = inTurn
  return watchChanges(daemon.paths.config, () => void inTurn())
}

function takeEffect(daemon: Daemon, config: Config): void {
  const before = daemon.config
  daemon.config = config
  const offersChanged = !sameValue(config.resume, before.resume) || !sameValue(writtenAgents(config), writtenAgents(before))
  if (offersChanged) for (const { id } of daemon.registry.all()) daemon.announceTerminal(id)
  if (!sameValue(config.page, before.page)) daemon.announce({ kind: 'settings', settings: pageSettings(config) })
  daemon.log.level = config.logLevel
  daemon.sizes.setPolicy(config.sizePolicy)
  daemon.indexer.configured()
  daemon.autoSleeper.configured()
  if (!sameValue(config.health, before.health)) void daemon.health.monitor.checkAll()
}

/** Through the directory, as most editors put another file in its place; a look from time to time finds what that does not tell. */
function watchChanges(file: string, changed: () => void): () => void {
  let calm: NodeJS.Timeout | undefined
  const heard = (): void => {
    clearTimeout(calm)
    calm = setTimeout(changed, CALM_AFTER_MS).unref()
  }
  const watcher = watchDirectory(dirname(file), (name) => {
    if (name === null || name === basename(file)) heard()
  })
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs) heard() // the first look at a missing file counts as a change
  })
  return () => {
    clearTimeout(calm)
    watcher?.close()
    unwatchFile(file)
  }
}

type Read =
  | { readonly ok: true; readonly text: string; readonly config: Config }
  | { readonly ok: false; readonly text: string | null; readonly why: string }

function readConfig(file: string): Read {
  let text: string
  try {
    text = readIfThere(file) ?? ''
  } catch (error) {
    return { ok: false, text: null, why: `config.toml cannot be read: ${systemReason(error)}` }
  }
  const parsed = parseConfig(text)
  if (parsed.ok) return { ok: true, text, config: parsed.config }
  const [first] = parsed.problems
  return { ok: false, text, why: `config.toml, line ${first?.line}: ${first?.message}. The last good values are in force.` }
}
