/** Stands for a program that has no picture. */
export function Letter({ letter }: { readonly letter: string }) {
  return (
    <span className="letter" aria-hidden="true">
      {letter}
    </span>
  )
}
