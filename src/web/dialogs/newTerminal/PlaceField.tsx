import type { Where } from '../../../workspace/layout/layout.ts'
import { terminalIn, usePage } from '../../hooks/parts.ts'
import { workspacesOf } from '../../state/standing.ts'
import { nameOf } from '../../state/words.ts'
import type { Draft, Place } from './draft.ts'

type Props = { readonly place: Draft['place']; readonly onChange: (place: Draft['place']) => void }

const SIDES: readonly { readonly where: Where; readonly words: string }[] = [
  { where: 'right', words: 'Right of' },
  { where: 'bottom', words: 'Below' },
  { where: 'center', words: 'As a tab with' },
]

export function PlaceField({ place, onChange }: Props) {
  const { topology, workspace, beside } = usePage((state) => ({
    topology: state.topology,
    workspace: state.workspace,
    beside: terminalIn(state, place.kind === 'beside' ? place.beside.terminal : state.focused),
  }))
  const sides: readonly Offer[] =
    beside === null
      ? []
      : SIDES.map(({ where, words }) => ({
          place: { kind: 'beside', beside: { terminal: beside.id, where } },
          words: `${words} “${nameOf(beside)}”`,
        }))
  const others: readonly Offer[] = workspacesOf(topology)
    .filter(({ id }) => id !== workspace)
    .map(({ id, name }) => ({ place: { kind: 'workspace', workspace: id }, words: `In the workspace “${name}”` }))
  const offers: readonly Offer[] = [{ place: { kind: 'room' }, words: 'Automatic' }, ...sides, ...others]
  return (
    <label>
      Place
      <select
        value={JSON.stringify(place)}
        onChange={(event) => {
          const chosen = offers.find((offer) => JSON.stringify(offer.place) === event.currentTarget.value)
          if (chosen !== undefined) onChange(chosen.place)
        }}
      >
        {offers.map((offer) => (
          <option key={offer.words} value={JSON.stringify(offer.place)}>
            {offer.words}
          </option>
        ))}
      </select>
    </label>
  )
}

type Offer = { readonly place: Place; readonly words: string }
