/** How a process is confined, as far as the system tells. What it does not tell is null, and says nothing. */
export type Confinement = {
  /** Where it is: its namespaces, root directory and control group. Inherited; a wrapper that stays puts its child elsewhere. */
  readonly places: Facts
  /** What it may: its user, capabilities, system calls and profile. A sandbox often gives up its own as well. */
  readonly rights: Facts
}

type Facts = Readonly<Record<string, string | null>>

export type Differences = { readonly places: readonly string[]; readonly rights: readonly string[] }

/** What is known of both and differs, by name. */
export function differences(one: Confinement | null, other: Confinement | null): Differences {
  if (one === null || other === null) return { places: [], rights: [] }
  return { places: differing(one.places, other.places), rights: differing(one.rights, other.rights) }
}

function differing(one: Facts, other: Facts): readonly string[] {
  return Object.keys(one).filter((name) => {
    const [here, there] = [one[name] ?? null, other[name] ?? null]
    return here !== null && there !== null && here !== there
  })
}
