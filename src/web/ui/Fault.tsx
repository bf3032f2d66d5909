/** What is wrong with a field, below it. */
export function Fault({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="wrong" id={id} role="alert">
      {text}
    </p>
  )
}
