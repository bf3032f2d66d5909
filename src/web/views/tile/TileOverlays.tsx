import { usePage, useParts, useTile } from '../../hooks/parts.ts'
import type { Link } from '../../state/page.ts'
import { ONLY_LOOKS } from '../../state/words.ts'
import { FindBar } from '../../tiles/find/FindBar.tsx'
import type { Tile } from '../../tiles/tile.ts'
import type { TileState } from '../../tiles/tileState.ts'
import type { CopyAnswer, CopyOffer } from '../../tiles/transfer/copyConsent.ts'
import { PasteDialog } from '../../tiles/transfer/PasteDialog.tsx'
import './tileOverlays.css'
import { uploadWords } from '../../tiles/transfer/uploads.ts'

/** What a terminal's tile says and asks over its screen. */
export function TileOverlays({ id }: { readonly id: string }) {
  const { tiles } = useParts()
  const link = usePage(({ link }) => link)
  const { state, tile } = useTile(id, (all) => ({ state: all, tile: tiles.get(id) }))
  if (tile === null) return null
  return (
    <>
      {state.find !== null && <FindBar find={tile.find} state={state.find} onClose={() => tile.focus()} />}
      {state.isDropTarget && <p className="dropTarget">Drop to insert its path</p>}
      <div className="tileLines">
        <Lines tile={tile} state={state} link={link} />
      </div>
      {state.paste !== null && (
        <PasteDialog question={state.paste} onAnswer={(answer) => tile.answerPaste(answer)} onGone={() => tile.focus()} />
      )}
    </>
  )
}

type LinesProps = { readonly tile: Tile; readonly state: TileState; readonly link: Link }

/** One below the other, at the foot of the tile: they cover little, and move nothing. */
function Lines({ tile, state, link }: LinesProps) {
  return (
    <>
      {state.link !== null && (
        <p className="linkTarget">
          <span>{state.link}</span> <kbd>Ctrl-click to open (⌘ on Mac)</kbd>
        </p>
      )}
      {state.copyAsked !== null && <CopyQuestion tile={tile} offer={state.copyAsked} />}
      {state.upload !== null && (
        <p role="status">
          <span>{uploadWords(state.upload)}</span>
          {state.upload.kind === 'sending' && <progress max={state.upload.total} value={state.upload.sent} aria-label="Upload progress" />}
          {state.upload.kind === 'refused' && (
            <button type="button" onClick={() => tile.uploads.dismiss()}>
              Dismiss
            </button>
          )}
        </p>
      )}
      {state.unsent === ONLY_LOOKS && (
        <p className="calm" role="status">
          {state.unsent}
        </p>
      )}
      {state.unsent !== null && state.unsent !== ONLY_LOOKS && (
        <p className="unsent" role="alert">
          {state.unsent}
        </p>
      )}
      {link !== 'live' && <p className="linkDown">Offline</p>}
    </>
  )
}

function CopyQuestion({ tile, offer }: { readonly tile: Tile; readonly offer: CopyOffer }) {
  const { id, preview, characters, lines, shown, isArmed } = offer
  const answer = (what: CopyAnswer) => () => {
    tile.answerCopy(what, id)
    tile.focus()
  }
  const size = `${characters.toLocaleString()} ${characters === 1 ? 'character' : 'characters'}${lines > 1 ? `, ${lines.toLocaleString()} lines` : ''}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a set of buttons, not of fields
    <div role="group" className="copyQuestion" aria-label="A program wants to copy" aria-describedby={`copy-${id}`}>
      <span>A program wants to copy {size} to your clipboard:</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what does not fit is scrolled to */}
      <pre key={id} id={`copy-${id}`} dir="ltr" tabIndex={0}>
        {preview}
      </pre>
      {shown < characters && <span className="partly">Only the first {shown.toLocaleString()} characters are shown.</span>}
      <div className="choices">
        <button type="button" disabled={!isArmed} onClick={answer('once')}>
          Allow once
        </button>
        <button type="button" disabled={!isArmed} onClick={answer('always')}>
          Always for this terminal
        </button>
        <button type="button" onClick={answer('no')}>
          No
        </button>
      </div>
    </div>
  )
}
