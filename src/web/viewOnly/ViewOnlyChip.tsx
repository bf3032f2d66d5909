import { usePageState, useParts } from '../parts.ts'
import { Icon } from '../ui/Icon.tsx'
import { accessWords } from './accessWords.ts'
import './viewOnly.css'

/** Says that this browser may only look, and explains it when it is pressed. */
export function ViewOnlyChip() {
  const { page } = useParts()
  const { access } = usePageState()
  if (access === null) return null
  return (
    <button
      type="button"
      className="viewOnly"
      aria-haspopup="dialog"
      title={accessWords(access)}
      onClick={() => page.open({ kind: 'viewOnly' })}
    >
      <Icon name="eye" />
      View only
    </button>
  )
}
