import { charsetByDesignator, charsetDesignator, type Engine } from './engine.ts'
import { cleanText } from './events.ts'
import { UNDERLINE, underlineStyleOf } from './internals.ts'
import type { Snapshot } from './snapshot.ts'

/** The state of the engine that no ANSI can bring about: read for a snapshot, and put back after its ANSI was parsed. */
export type BeyondAnsi = Pick<Snapshot, 'titleStack' | 'charset' | 'dormantUnderline' | 'joinState'>

export function readBeyondAnsi({ internals }: Engine): BeyondAnsi {
  const { _inputHandler: input, _charsetService: sets } = internals
  const pen = input._curAttrData
  return {
    titleStack: input._windowTitleStack.map((title) => cleanText(title)),
    charset: sets.charset === sets._charsets[sets.glevel] ? null : charsetDesignator(sets.charset),
    dormantUnderline: pen.fg & UNDERLINE ? 0 : underlineStyleOf(pen.extended),
    joinState: input._parser.precedingJoinState,
  }
}

export function applyBeyondAnsi({ internals }: Engine, snapshot: BeyondAnsi & Pick<Snapshot, 'continued'>): void {
  const { _inputHandler: input, _charsetService: sets, _bufferService: service } = internals
  input._windowTitleStack.push(...snapshot.titleStack)
  input._parser.precedingJoinState = snapshot.joinState
  if (snapshot.charset !== null) sets.charset = charsetByDesignator(snapshot.charset)
  if (snapshot.dormantUnderline !== 0) {
    const extended = input._curAttrData.extended.clone() // cells share the old one
    extended.underlineStyle = snapshot.dormantUnderline
    input._curAttrData.extended = extended
  }
  const [normal, alternate] = snapshot.continued
  const oldest = [normal && service.buffers.normal.lines.get(0), alternate && service.buffers.alt.lines.get(0)]
  for (const line of oldest) if (line) line.isWrapped = true
}
