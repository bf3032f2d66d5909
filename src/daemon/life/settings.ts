/** config.toml, read at the start and whenever it changes. A bad file is refused by name and line; the last good values stay. */
import { unwatchFile, watchFile } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isUserAgent } from '../../agents/programs/userAgents.ts'
import { systemReason } from '../../base/systemReason.ts'
import { readIfThere } from '../../client/wholeFile.ts'
import type { Store } from '../../store/store.ts'
import { type Config, defaultConfig, parseConfig } from '../../wire/config/config.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import type { PageSettings } from '../../wire/pageSettings.ts'
import type { Paths } from '../../wire/paths.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import { watchDirectory } from '../base/watchDirectory.ts'

/** For a file that is a link to elsewhere, and where a directory cannot be watched. */
const LOOK_EVERY_MS = 2_000
/** An editor empties the file before it writes it: what is there in between is nobody's wish. */
const CALM_AFTER_MS = 60
const LAST_GOOD = 'config.last-good'

export type Loaded = {
  readonly config: Config
  readonly trouble: string | null
  /** As it was read; null where it could not be. */
  readonly text: string | null
}

export async function loadSettings(paths: Paths, store: Pick<Store, 'keepSetting' | 'setting'>): Promise<Loaded> {
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

/** What the settings are told to. */
type Surroundings = {
  readonly paths: Paths
  readonly store: Pick<Store, 'keepSetting' | 'setting'>
  readonly log: Log
  readonly registry: { all(): readonly Terminal[] }
  readonly audience: { announce(event: DaemonEvent): void; announceTerminal(id: Terminal['id']): void }
  readonly sizes: { setPolicy(policy: Config['sizePolicy']): void }
  readonly indexer: { configured(): void }
  readonly autoSleeper: { configured(): void }
  readonly health: { readonly monitor: { checkAll(): Promise<unknown> } }
}

export class Settings {
  private reading: Promise<void> = Promise.resolve()
  private unwatch: () => void = () => undefined

  constructor(
    private readonly daemon: Surroundings,
    private loaded: Loaded,
    /** In force: the last that could be read. */
    public config: Config = loaded.config,
  ) {}

  /** A sentence while config.toml cannot be used. */
  get trouble(): string | null {
    return this.loaded.trouble
  }

  watch(): void {
    this.unwatch = watchChanges(this.daemon.paths.config, () => void this.reread())
  }

  stop(): void {
    this.unwatch()
  }

  /** What is in config.toml now is in force when it resolves, or the trouble says why not. */
  reread(): Promise<void> {
    this.reading = this.reading
      .then(() => this.take())
      .catch((error: Error) => this.daemon.log.error({ error: error.message }, 'config.toml could not be read again'))
    return this.reading
  }

  private async take(): Promise<void> {
    const read = await loadSettings(this.daemon.paths, this.daemon.store)
    if (read.text !== null && read.text === this.loaded.text) return
    this.loaded = read
    this.daemon.log.info({ trouble: read.trouble }, 'config.toml changed')
    if (read.trouble === null) this.takeEffect(read.config)
  }

  private takeEffect(config: Config): void {
    const { daemon, config: before } = this
    this.config = config
    const offersChanged = !sameValue(config.resume, before.resume) || !sameValue(writtenAgents(config), writtenAgents(before))
    if (offersChanged) for (const { id } of daemon.registry.all()) daemon.audience.announceTerminal(id)
    if (!sameValue(config.page, before.page)) daemon.audience.announce({ kind: 'settings', settings: pageSettings(config) })
    daemon.log.level = config.logLevel
    daemon.sizes.setPolicy(config.sizePolicy)
    daemon.indexer.configured()
    daemon.autoSleeper.configured()
    if (!sameValue(config.health, before.health)) void daemon.health.monitor.checkAll()
  }
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
  return { ok: false, text, why: `config.toml, line ${first?.line}: ${first?.message}. The last valid values are used.` }
}
