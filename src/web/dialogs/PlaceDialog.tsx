import { type FormEvent, type ReactNode, useState } from 'react'
import { terminalsOf } from '../../workspace/layout/layout.ts'
import { usePage, useParts } from '../hooks/parts.ts'
import type { PlaceAsk } from '../state/overlay.ts'
import { workspacesOf } from '../state/standing.ts'
import { Dialog } from '../ui/Dialog.tsx'

type Props<Ask extends PlaceAsk = PlaceAsk> = { readonly ask: Ask; readonly onLeave: () => void }
type Of<Kind extends PlaceAsk['kind']> = Props<Extract<PlaceAsk, { kind: Kind }>>

/** What is to be known before a workspace or a group is changed. */
export function PlaceDialog({ ask, onLeave }: Props) {
  switch (ask.kind) {
    case 'closeWorkspace':
      return <CloseWorkspace ask={ask} onLeave={onLeave} />
    case 'newGroup':
    case 'renameGroup':
      return <NameGroup ask={ask} onLeave={onLeave} />
    case 'newWorkspace': // written in the bar
    case 'renameWorkspace':
      return null
  }
}

type AskProps = {
  readonly title: string
  readonly confirm: string
  readonly isDanger?: boolean
  readonly canConfirm: boolean
  readonly onConfirm: () => void
  readonly onLeave: () => void
  readonly children: ReactNode
}

function Ask({ title, confirm, isDanger = false, canConfirm, onConfirm, onLeave, children }: AskProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (canConfirm) onConfirm()
  }
  return (
    <Dialog labelledBy="placeTitle" onLeave={onLeave}>
      <h2 id="placeTitle">{title}</h2>
      <form onSubmit={submit}>
        {children}
        <div className="choices">
          <button type="button" onClick={onLeave}>
            Cancel
          </button>
          <button type="submit" className={isDanger ? 'danger' : 'primary'} disabled={!canConfirm}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function CloseWorkspace({ ask: { workspace }, onLeave }: Of<'closeWorkspace'>) {
  const { page } = useParts()
  const topology = usePage(({ topology }) => topology)
  const all = workspacesOf(topology)
  const closing = all.find(({ id }) => id === workspace)
  const others = all.filter(({ id }) => id !== workspace)
  const [moveTo, setMoveTo] = useState(others[0]?.id ?? '')
  if (closing === undefined) return null
  const count = terminalsOf(closing.layout).length
  const close = async () => {
    onLeave()
    await page.command('workspace.close', { workspace, ...(count > 0 ? { moveTo } : {}) })
  }
  return (
    <Ask
      title={`Close the workspace “${closing.name}”?`}
      confirm="Close workspace"
      isDanger
      canConfirm={others.length > 0}
      onConfirm={() => void close()}
      onLeave={onLeave}
    >
      {count === 0 ? (
        <p>It has no terminals.</p>
      ) : (
        <>
          <p>{count === 1 ? 'Its terminal keeps running.' : `Its ${count} terminals keep running.`}</p>
          <label>
            Move them to
            <select value={moveTo} onChange={(event) => setMoveTo(event.currentTarget.value)}>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
    </Ask>
  )
}

function NameGroup({ ask, onLeave }: Of<'newGroup' | 'renameGroup'>) {
  const { page } = useParts()
  const topology = usePage(({ topology }) => topology)
  const group = ask.kind === 'renameGroup' ? topology?.groups.find(({ id }) => id === ask.group) : undefined
  const [name, setName] = useState(group?.name ?? '')
  const change = async () => {
    onLeave()
    if (ask.kind === 'renameGroup') await page.command('group.rename', { group: ask.group, name: name.trim() })
    else await page.command('group.new', { name: name.trim() })
  }
  return (
    <Ask
      title={ask.kind === 'newGroup' ? 'New workspace group' : `Rename the group “${group?.name ?? ''}”`}
      confirm={ask.kind === 'newGroup' ? 'Create' : 'Rename'}
      canConfirm={name.trim() !== ''}
      onConfirm={() => void change()}
      onLeave={onLeave}
    >
      <label>
        Name
        <input value={name} maxLength={64} spellCheck={false} autoComplete="off" onChange={(event) => setName(event.currentTarget.value)} />
      </label>
    </Ask>
  )
}
