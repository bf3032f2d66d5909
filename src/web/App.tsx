import { useEffect, useState, useSyncExternalStore } from 'react'
import { CloseDialog } from './CloseDialog.tsx'
import { LinkBanner } from './LinkBanner.tsx'
import type { Page } from './page.ts'
import type { Stage } from './stage.ts'
import { TerminalHeader } from './TerminalHeader.tsx'
import { TerminalList } from './TerminalList.tsx'
import { TerminalPane } from './TerminalPane.tsx'

const AGES_EVERY_MS = 20_000

export function App({ page, stage }: { readonly page: Page; readonly stage: Stage }) {
  const { link, version, terminals, selected, notice, historyNote } = useSyncExternalStore(page.subscribe, () => page.state)
  const now = useNow()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [closing, setClosing] = useState<string | null>(null)
  const shown = page.shown
  const doomed = terminals?.find(({ id }) => id === closing)
  const select = (id: string) => {
    setDrawerOpen(false)
    page.select(id)
    stage.focus()
  }
  const create = () => {
    setDrawerOpen(false)
    void page.create(stage.measure()).then(() => stage.focus())
  }
  return (
    <div className="page" data-drawer={isDrawerOpen}>
      <nav className="side" aria-label="Terminals">
        <div className="brand">
          <span>Holdfast</span>
          <button type="button" className="primary" onClick={create}>
            New terminal
          </button>
        </div>
        {terminals === null ? (
          <p className="hint">Waiting for the daemon…</p>
        ) : (
          <TerminalList terminals={terminals} selected={selected} now={now} onSelect={select} />
        )}
        <p className="foot">
          <span className="linkDot" data-link={link} aria-hidden="true" />
          {link === 'live'
            ? `Live · ${version}`
            : link === 'connecting'
              ? 'Connecting'
              : link === 'away'
                ? 'Reconnecting'
                : 'Not connected'}
          <kbd>Ctrl Shift ↑ ↓</kbd>
        </p>
      </nav>
      <button type="button" className="backdrop" aria-label="Hide the list" onClick={() => setDrawerOpen(false)} />
      <main>
        <header>
          <button type="button" className="menu" aria-label="Terminals" aria-expanded={isDrawerOpen} onClick={() => setDrawerOpen(true)}>
            ☰
          </button>
          {shown !== null && (
            <TerminalHeader
              key={shown.id}
              terminal={shown}
              onRename={(name) => void page.rename(shown.id, name).then(() => stage.focus())}
              onClose={() => setClosing(shown.id)}
            />
          )}
        </header>
        <LinkBanner link={link} />
        <TerminalPane
          terminal={shown}
          now={now}
          mount={stage.mount}
          sizeNote={page.sizeNote}
          historyNote={historyNote}
          onLead={() => stage.lead()}
          onTouchKey={(key) => stage.typeKey(key)}
          onWake={(wish) => shown !== null && void page.wake(shown.id, wish).then(() => page.shown?.state === 'asleep' || stage.focus())}
          onKey={(event) => stage.takeKey(event)}
          onClose={() => setClosing(shown?.id ?? null)}
        />
        {terminals?.length === 0 && <Empty onCreate={create} />}
      </main>
      {notice !== null && (
        <div className="notice" role="alert">
          <p>
            <strong>{notice.message}</strong> {notice.hint}
          </p>
          <button type="button" onClick={() => page.dismissNotice()}>
            Dismiss
          </button>
        </div>
      )}
      {doomed !== undefined && (
        <CloseDialog
          terminal={doomed}
          onCancel={() => setClosing(null)}
          onConfirm={() => {
            setClosing(null)
            void page.close(doomed.id)
          }}
        />
      )}
    </div>
  )
}

function Empty({ onCreate }: { readonly onCreate: () => void }) {
  return (
    <section className="empty">
      <h1>No terminals yet</h1>
      <p>What you start here keeps running when this page, or the daemon, goes away.</p>
      <button type="button" className="primary" onClick={onCreate}>
        New terminal
      </button>
    </section>
  )
}

function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), AGES_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
