import { type KeyboardEvent, useState } from 'react'
import type { Action } from '../../actions/action.ts'
import { usePage, useParts } from '../../hooks/parts.ts'
import { PLATFORM, pressedShortcut, shortcutText } from '../../state/shortcuts.ts'
import { Fault } from '../../ui/Fault.tsx'
import { type Judged, judge, type Keys, type ShortcutRow, shortcutRows, takingKeys, withKeys, withoutChange } from './shortcutTable.ts'

type Recording = { readonly action: Action; readonly keys: string | null; readonly judged: Judged }

export function ShortcutsTab({ search }: { readonly search: string }) {
  const { page } = useParts()
  const chosen = usePage(({ settings }) => settings.keys)
  const [recording, setRecording] = useState<Recording | null>(null)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const keep = async (keys: Keys) => {
    setRecording(null)
    const kept = await page.ask('config.set', { key: 'page.keys', value: Object.keys(keys).length === 0 ? null : keys })
    setFault(kept.ok ? undefined : kept.refusal.message)
  }
  const press = (keys: string, action: Action) => {
    const judged = judge(keys, action, { chosen, platform: PLATFORM })
    if (judged.kind === 'free') void keep(withKeys(chosen, { action, keys, platform: PLATFORM }))
    else setRecording({ action, keys, judged })
  }
  const rows = shortcutRows(chosen, PLATFORM, search)
  const groups = [...new Set(rows.map(({ action }) => action.group))]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="optionList" tabIndex={0} aria-label="Shortcuts">
      <p className="shortcutsHint">
        Choose a shortcut and press the new keys. Backspace disables it, so that programs receive the keys.
        <button type="button" disabled={Object.keys(chosen).length === 0} onClick={() => void keep({})}>
          Reset all
        </button>
      </p>
      <Fault id="shortcutsFault" text={fault} />
      {rows.length === 0 && <p className="hint">No matches</p>}
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          {rows
            .filter(({ action }) => action.group === group)
            .map((row) => (
              <ShortcutLine
                key={row.action.id}
                row={row}
                recording={recording?.action.id === row.action.id ? recording : null}
                onRecord={() => setRecording({ action: row.action, keys: null, judged: { kind: 'free' } })}
                onCancel={() => setRecording(null)}
                onPress={(keys) => press(keys, row.action)}
                onOff={() => void keep(withKeys(chosen, { action: row.action, keys: '', platform: PLATFORM }))}
                onTake={(keys) => void keep(takingKeys(chosen, { action: row.action, keys, platform: PLATFORM }))}
                onReset={() => void keep(withoutChange(chosen, row.action))}
              />
            ))}
        </section>
      ))}
    </section>
  )
}

type LineProps = {
  readonly row: ShortcutRow
  readonly recording: Recording | null
  readonly onRecord: () => void
  readonly onCancel: () => void
  readonly onPress: (keys: string) => void
  readonly onOff: () => void
  readonly onTake: (keys: string) => void
  readonly onReset: () => void
}

function ShortcutLine({ row, recording, onRecord, onCancel, onPress, onOff, onTake, onReset }: LineProps) {
  const { action, keys, isChanged, takenBy } = row
  const takeKey = (event: KeyboardEvent) => {
    if (recording === null || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const pressed = pressedShortcut(event.nativeEvent)
    if (event.key === 'Escape') onCancel()
    else if (pressed === 'Backspace' || pressed === 'Delete') onOff()
    else if (pressed !== null) onPress(pressed)
  }
  return (
    <div className="shortcut">
      <span>{action.title}</span>
      {recording?.judged.kind === 'taken' && recording.keys !== null && (
        <span className="wrong" role="alert">
          {shortcutText(recording.keys, PLATFORM)} is used by “{recording.judged.by.title}”.
          <button type="button" onClick={() => onTake(recording.keys ?? '')}>
            Reassign
          </button>
        </span>
      )}
      {recording?.judged.kind === 'unusable' && (
        <span className="wrong" role="alert">
          {recording.judged.why}
        </span>
      )}
      {recording === null && takenBy !== null && <span className="wrong">is used by “{takenBy.title}”</span>}
      {isChanged && (
        <button type="button" className="quiet" onClick={onReset}>
          Reset<span className="unseen"> {action.title}</span>
        </button>
      )}
      <button
        type="button"
        className="keysButton"
        aria-label={`Keys of ${action.title}: ${keys === null ? 'none' : shortcutText(keys, PLATFORM)}`}
        data-recording={recording !== null}
        onClick={onRecord}
        onKeyDown={takeKey}
        onBlur={(event) => recording?.judged.kind === 'free' && event.relatedTarget !== null && onCancel()}
      >
        {recording !== null ? 'Press keys…' : keys === null ? 'none' : <kbd>{shortcutText(keys, PLATFORM)}</kbd>}
      </button>
    </div>
  )
}
