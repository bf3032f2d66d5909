import { type InputHTMLAttributes, type KeyboardEvent, useState } from 'react'
import { assertNever } from '../../../base/assertNever.ts'
import { type Editor, type Row, readList, readNumber, rowsOf, tableOf } from './options.ts'

type Props = {
  readonly id: string
  readonly editor: Editor
  readonly value: unknown
  readonly describedBy: string
  readonly isInvalid: boolean
  readonly onSet: (value: unknown) => void
  /** What is wrong before anything is asked; undefined when nothing is. */
  readonly onFault: (why: string | undefined) => void
}

/** One editor for each kind of value. A text is taken when it is left, or with Enter. */
export function ValueEditor(props: Props) {
  const { id, editor, value, describedBy, isInvalid, onSet, onFault } = props
  const shared = { id, 'aria-describedby': describedBy, 'aria-invalid': isInvalid }
  switch (editor.kind) {
    case 'flag':
      return <input type="checkbox" {...shared} checked={value === true} onChange={(event) => onSet(event.currentTarget.checked)} />
    case 'choice':
      return (
        <select {...shared} value={String(value)} onChange={(event) => onSet(event.currentTarget.value)}>
          {!editor.choices.some((choice) => choice.value === value) && <option value={String(value)}>{String(value)}</option>}
          {editor.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )
    case 'number': {
      const take = (text: string) => {
        const number = readNumber(text, editor)
        if (number === null) return onFault(editor.wrong)
        onSet(number)
      }
      return <Typed shared={shared} text={String(Number(value) / editor.scale)} numbers={editor} onTake={take} />
    }
    case 'text':
      return <Typed shared={shared} text={String(value)} onTake={onSet} />
    case 'list':
      return <Typed shared={shared} text={Array.isArray(value) ? value.join(', ') : ''} onTake={(text) => onSet(readList(text))} />
    case 'lists':
      return <Table id={id} rows={rowsOf(value)} onTake={(rows) => onSet(tableOf(rows))} />
    case 'file':
      return <span className="usual">Edit it in the file.</span>
    default:
      return assertNever(editor)
  }
}

type TypedProps = {
  readonly shared: Pick<InputHTMLAttributes<HTMLInputElement>, 'id' | 'aria-label' | 'aria-describedby' | 'aria-invalid'>
  readonly text: string
  readonly numbers?: { readonly min: number | null; readonly max: number | null }
  readonly onTake: (text: string) => void
}

/** What is typed stands until it is taken, or until the value itself becomes another one. */
function Typed({ shared, text, numbers, onTake }: TypedProps) {
  const [typed, setTyped] = useState<{ readonly over: string; readonly text: string } | null>(null)
  const shown = typed?.over === text ? typed.text : text
  const take = () => shown !== text && onTake(shown)
  const takeKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') take()
    if (event.key === 'Escape' && shown !== text) {
      event.preventDefault()
      event.stopPropagation()
      setTyped(null)
    }
  }
  const kind = numbers === undefined ? {} : { type: 'number', step: 'any', min: numbers.min ?? undefined, max: numbers.max ?? undefined }
  return (
    <input
      {...shared}
      {...kind}
      value={shown}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => setTyped({ over: text, text: event.currentTarget.value })}
      onBlur={take}
      onKeyDown={takeKey}
    />
  )
}

function Table({
  id,
  rows,
  onTake,
}: {
  readonly id: string
  readonly rows: readonly Row[]
  readonly onTake: (rows: readonly Row[]) => void
}) {
  const [added, setAdded] = useState('')
  const change = (index: number, row: Row | null) => onTake(row === null ? rows.toSpliced(index, 1) : rows.with(index, row))
  return (
    <div className="table" id={id}>
      {rows.map((row, index) => (
        <div key={row.name} className="tableRow">
          <span>{row.name}</span>
          <Typed
            shared={{ id: `${id}-${row.name}`, 'aria-label': `Arguments of ${row.name}` }}
            text={row.words}
            onTake={(words) => change(index, { ...row, words })}
          />
          <button type="button" className="quiet" aria-label={`Remove ${row.name}`} onClick={() => change(index, null)}>
            ✕
          </button>
        </div>
      ))}
      <form
        className="tableRow"
        onSubmit={(event) => {
          event.preventDefault()
          if (added.trim() !== '' && !rows.some(({ name }) => name === added.trim())) onTake([...rows, { name: added.trim(), words: '' }])
          setAdded('')
        }}
      >
        <input
          aria-label="Add a command"
          placeholder="Add a command"
          value={added}
          onChange={(event) => setAdded(event.currentTarget.value)}
        />
        <button type="submit" disabled={added.trim() === ''}>
          Add
        </button>
      </form>
    </div>
  )
}
