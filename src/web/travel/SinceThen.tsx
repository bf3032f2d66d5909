import type { Refusal } from '../../base/refusal.ts'
import { SINCE_WORDS, type Since } from './sinceThen.ts'

/** What is different now, line by line. */
export function SinceThen({ since, refusal }: { readonly since: Since | null; readonly refusal: Refusal | null }) {
  return (
    <section className="since" aria-label="What is different now">
      <h3>Since then</h3>
      <Lines since={since} refusal={refusal} />
    </section>
  )
}

function Lines({ since, refusal }: { readonly since: Since | null; readonly refusal: Refusal | null }) {
  if (refusal !== null)
    return (
      <p className="wrong" role="alert">
        {refusal.message} {refusal.hint}
      </p>
    )
  if (since === null) return <p>Comparing with now…</p>
  if (since.lines.length + since.notes.length === 0) return <p>Nothing is different now.</p>
  return (
    <>
      <ul>
        {since.lines.map(({ id, mark, name, words }) => (
          <li key={`${mark} ${id}`} data-mark={mark}>
            <span className="sinceMark">{SINCE_WORDS[mark]}</span> <strong>{name}</strong> <span>{words}</span>
          </li>
        ))}
      </ul>
      {since.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  )
}
