/** A field with a list below it that is gone through with the arrow keys. The only file that knows the library behind it. */
import { Command } from 'cmdk'
import type { KeyboardEvent } from 'react'
import { PLATFORM, shortcutText } from '../state/shortcuts.ts'
import { StateMark } from '../ui/StateMark.tsx'
import type { Entry } from './entries.ts'
import type { Ranked, Span } from './ranking.ts'
import type { Section } from './sections.ts'

type Props = {
  readonly label: string
  readonly placeholder: string
  readonly text: string
  readonly sections: readonly Section[]
  /** Said where nothing fits. */
  readonly empty: string
  readonly onText: (text: string) => void
  readonly onChoose: (entry: Entry) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function CommandList({ label, placeholder, text, sections, empty, onText, onChoose, onKeyDown }: Props) {
  return (
    <Command label={label} shouldFilter={false} loop onKeyDown={onKeyDown}>
      <Command.Input className="paletteField" data-first value={text} placeholder={placeholder} onValueChange={onText} spellCheck={false} />
      <Command.List className="paletteList" label={label}>
        {sections.length === 0 && <p className="paletteNote">{empty}</p>}
        {sections.map(({ title, entries, note }) => (
          <Command.Group key={title} heading={title}>
            {entries.map((ranked) => (
              <Row key={ranked.entry.id} ranked={ranked} onChoose={onChoose} />
            ))}
            {note !== null && <p className="paletteNote">{note}</p>}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  )
}

function Row({ ranked: { entry, spans }, onChoose }: { readonly ranked: Ranked<Entry>; readonly onChoose: (entry: Entry) => void }) {
  const { id, label, detail, mark, keys, isDanger = false } = entry
  return (
    <Command.Item className="paletteRow" value={id} data-danger={isDanger} onSelect={() => onChoose(entry)}>
      {mark !== undefined && <StateMark mark={mark} />}
      <span className="paletteLabel">
        <Marked text={label} spans={spans} />
      </span>
      <span className="paletteDetail">{detail}</span>
      {keys && <kbd>{shortcutText(keys, PLATFORM)}</kbd>}
    </Command.Item>
  )
}

function Marked({ text, spans }: { readonly text: string; readonly spans: readonly Span[] }) {
  const pieces = spans.flatMap(({ from, to }, index) => [
    text.slice(spans[index - 1]?.to ?? 0, from),
    <mark key={from}>{text.slice(from, to)}</mark>,
  ])
  return (
    <>
      {pieces}
      {text.slice(spans.at(-1)?.to ?? 0)}
    </>
  )
}
