import { useEffect, useRef, useState } from 'react'
import type { Refusal } from '../../../base/refusal.ts'
import type { DeviceView } from '../../../wire/deviceView.ts'
import { useNow, useParts } from '../../hooks/parts.ts'
import { Fault } from '../../ui/Fault.tsx'
import { lastOf, useAsked } from '../../ui/useAsked.ts'
import { ageWords, mayWords } from './deviceWords.ts'
import './devices.css'

/** The browsers that are logged in, and what can be done about each. */
export function DevicesTab() {
  const { page } = useParts()
  const [round, setRound] = useState(0)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const asked = useAsked({ key: String(round), ask: () => page.ask('device.list', {}) })
  const devices = lastOf(asked)
  const settle = (refusal: Refusal | null) => {
    setFault(refusal === null ? undefined : `${refusal.message} ${refusal.hint}`)
    setRound((before) => before + 1)
  }
  const rename = async (device: string, name: string) => {
    const answer = await page.ask('device.rename', { device, name })
    settle(answer.ok ? null : answer.refusal)
  }
  const revoke = async (device: string) => {
    const answer = await page.ask('device.revoke', { devices: [device] })
    settle(answer.ok ? null : answer.refusal)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section className="optionList" tabIndex={0} aria-label="Devices">
      <p className="devicesHint">
        Logged-in browsers. Revoking one closes its pages.
        <span className="deviceVerbs">
          <button type="button" onClick={() => page.open({ kind: 'reading', reading: { kind: 'authLog' } })}>
            Show log…
          </button>
          <button type="button" onClick={() => page.open({ kind: 'reading', reading: { kind: 'login' } })}>
            Add a browser…
          </button>
        </span>
      </p>
      <Fault id="devicesFault" text={asked.kind === 'refused' ? `${asked.refusal.message} ${asked.refusal.hint}` : fault} />
      {devices === null && asked.kind !== 'refused' && <p className="hint">Asking the daemon…</p>}
      <ul className="devices">
        {(devices ?? []).map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            onRename={(name) => void rename(device.id, name)}
            onRevoke={() => void revoke(device.id)}
          />
        ))}
      </ul>
    </section>
  )
}

type RowProps = { readonly device: DeviceView; readonly onRename: (name: string) => void; readonly onRevoke: () => void }

function DeviceRow({ device, onRename, onRevoke }: RowProps) {
  const now = useNow()
  const [state, setState] = useState<'shown' | 'renaming' | 'revoking'>('shown')
  const { name, address, firstUsed, lastUsed, open, isCurrent, addedBy } = device
  return (
    <li className="device" data-device={device.id}>
      <div className="deviceWords">
        {state === 'renaming' ? (
          <NameForm
            name={name}
            onLeave={() => setState('shown')}
            onName={(next) => {
              setState('shown')
              if (next !== name) onRename(next)
            }}
          />
        ) : (
          <strong>{name}</strong>
        )}
        {isCurrent && state !== 'renaming' && <span className="deviceMark">This browser</span>}
        {device.capability.kind !== 'everything' && state !== 'renaming' && <span className="deviceMark">{mayWords(device)}</span>}
        <p>
          <code>{address}</code>
        </p>
        <p>
          First used {ageWords(firstUsed, now)} · last used {open > 0 ? 'now' : ageWords(lastUsed, now)}
          {addedBy !== null && ` · added by ${addedBy}`}
        </p>
      </div>
      <div className="deviceVerbs">
        {state === 'revoking' && (
          <button type="button" className="danger" onClick={onRevoke}>
            {isCurrent ? 'Log out now' : 'Revoke now'}
          </button>
        )}
        {state !== 'shown' && (
          <button type="button" onClick={() => setState('shown')}>
            Cancel
          </button>
        )}
        {state === 'shown' && (
          <>
            <button type="button" onClick={() => setState('renaming')}>
              Rename<span className="unseen"> {name}</span>
            </button>
            <button type="button" onClick={() => setState('revoking')}>
              {isCurrent ? 'Log out' : 'Revoke'}
              <span className="unseen"> {name}</span>
            </button>
          </>
        )}
      </div>
    </li>
  )
}

type NameProps = { readonly name: string; readonly onName: (name: string) => void; readonly onLeave: () => void }

function NameForm({ name, onName, onLeave }: NameProps) {
  const [text, setText] = useState(name)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onName(text.trim())
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        event.preventDefault()
        onLeave()
      }}
    >
      <input
        ref={field}
        aria-label="Name of the device"
        maxLength={60}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" className="primary">
        Save
      </button>
    </form>
  )
}
