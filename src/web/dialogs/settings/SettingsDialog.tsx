/**
 * The settings, in three tabs: options of config.toml (options.ts decides the editor of each), shortcuts, devices. useConfig.ts
 * reads and writes the file through the daemon.
 */
import { useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import { DevicesTab } from './DevicesTab.tsx'
import { OptionsTab } from './OptionsTab.tsx'
import { ShortcutsTab } from './ShortcutsTab.tsx'
import './settings.css'

type Tab = 'settings' | 'shortcuts' | 'devices'

const TABS: readonly { readonly id: Tab; readonly title: string }[] = [
  { id: 'settings', title: 'Settings' },
  { id: 'shortcuts', title: 'Shortcuts' },
  { id: 'devices', title: 'Devices' },
]

export function SettingsDialog({ tab: first, onLeave }: { readonly tab: Tab; readonly onLeave: () => void }) {
  const [tab, setTab] = useState<Tab>(first)
  const [search, setSearch] = useState('')
  return (
    <Dialog className="settings" label="Settings" onLeave={onLeave}>
      <header className="settingsHead">
        <div role="tablist" aria-label="Settings">
          {TABS.map(({ id, title }) => (
            <button
              type="button"
              role="tab"
              key={id}
              id={`tab-${id}`}
              aria-controls="settingsBody"
              aria-selected={id === tab}
              onClick={() => setTab(id)}
            >
              {title}
            </button>
          ))}
        </div>
        {tab !== 'devices' && (
          <input
            type="search"
            data-first
            aria-label="Search the settings"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <button type="button" className="quiet" aria-label="Close the settings" title="Close" onClick={onLeave}>
          ✕
        </button>
      </header>
      <div className="settingsBody" id="settingsBody" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'settings' && <OptionsTab search={search} />}
        {tab === 'shortcuts' && <ShortcutsTab search={search} />}
        {tab === 'devices' && <DevicesTab />}
      </div>
    </Dialog>
  )
}
