import { useRef } from 'react'
import { About } from './About.tsx'
import { OptionField } from './OptionField.tsx'
import { optionGroups } from './options.ts'
import { Preview } from './Preview.tsx'
import { useConfig } from './useConfig.ts'

export function OptionsTab({ search }: { readonly search: string }) {
  const { shown, refusal, set } = useConfig()
  const list = useRef<HTMLDivElement>(null)
  if (refusal !== null)
    return (
      <p className="wrong" role="alert">
        {refusal.message} {refusal.hint}
      </p>
    )
  if (shown === null) return <p className="hint">Asking the daemon…</p>
  const groups = optionGroups(shown.options, search)
  const goTo = (key: string) => list.current?.querySelector(`[data-section="${key}"]`)?.scrollIntoView({ block: 'start' })
  return (
    <>
      <nav className="sections" aria-label="Sections">
        {groups.map(({ key, title }) => (
          <button type="button" key={key} className="quiet" onClick={() => goTo(key)}>
            {title}
          </button>
        ))}
        <button type="button" className="quiet" onClick={() => goTo('about')}>
          About
        </button>
        <p className="configFile">
          Stored in <code>{shown.file}</code>
        </p>
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section className="optionList" ref={list} tabIndex={0} aria-label="Options">
        {shown.problems.map((problem) => (
          <p key={problem} className="wrong" role="alert">
            {problem}
          </p>
        ))}
        {groups.length === 0 && <p className="hint">No matches</p>}
        {groups.map(({ key, title, options }) => (
          <section key={key} data-section={key} aria-label={title}>
            <h3>{title}</h3>
            {key === 'page' && search === '' && <Preview />}
            {options.map((option) => (
              <OptionField key={option.key} option={option} onSet={(value) => set(option.key, value)} />
            ))}
          </section>
        ))}
        {search === '' && <About />}
      </section>
    </>
  )
}
