/** Ends every `switch` over a sum: the compiler rejects the call while an arm is missing. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
