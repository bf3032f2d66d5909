import { useState } from 'react'
import type { Refusal } from '../../../base/refusal.ts'
import type { OptionShown } from '../../../wire/commands/config.ts'
import { useNotificationPermission } from '../../notify/notifier.ts'
import { Fault } from '../../ui/Fault.tsx'
import { editorOf, labelOf, valueText } from './options.ts'
import { ValueEditor } from './ValueEditor.tsx'

type Props = {
  readonly option: OptionShown
  /** Null takes it out of the file; what is refused is returned. */
  readonly onSet: (value: unknown) => Promise<Refusal | null>
}

export function OptionField({ option, onSet }: Props) {
  const [fault, setFault] = useState<string | undefined>(undefined)
  const { key, sentence, needsRestart, isSet, default: usual } = option
  const editor = editorOf(option)
  const set = async (value: unknown) => {
    const refusal = await onSet(value)
    setFault(refusal?.message)
  }
  const faultId = `fault-${key}`
  return (
    <div className="option" data-option={key}>
      <div className="optionWords">
        <label htmlFor={`option-${key}`}>{labelOf(key)}</label>
        <p id={`about-${key}`}>
          {sentence} <code>{key}</code>
          {needsRestart && <em> Applies after a restart.</em>}
        </p>
      </div>
      <div className="optionValue">
        <ValueEditor
          id={`option-${key}`}
          editor={editor}
          value={option.value}
          describedBy={fault === undefined ? `about-${key}` : `about-${key} ${faultId}`}
          isInvalid={fault !== undefined}
          onSet={(value) => void set(value)}
          onFault={setFault}
        />
        {key === 'page.notifications' && <PermissionOffer />}
        {isSet && (
          <button
            type="button"
            className="quiet reset"
            title={`Default: ${editor.kind === 'number' ? Number(usual) / editor.scale : valueText(usual)}`}
            onClick={() => void set(null)}
          >
            Reset<span className="unseen"> {labelOf(key)}</span>
          </button>
        )}
      </div>
      <Fault id={faultId} text={fault} />
    </div>
  )
}

const PERMISSION_WORDS = {
  granted: 'Notifications are allowed in this browser.',
  denied: 'Notifications are blocked in this browser. Allow them in its settings.',
  impossible: 'This browser has no notifications at this address.',
} as const

function PermissionOffer() {
  const { state, ask } = useNotificationPermission()
  if (state !== 'default') return <span className="usual">{PERMISSION_WORDS[state]}</span>
  return (
    <button type="button" onClick={ask}>
      Enable notifications
    </button>
  )
}
