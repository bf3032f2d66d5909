/** Programs pad their lines with spaces, which are not copied. */
export const withoutTrailingSpaces = (text: string): string => text.replace(/[ \t]+$/gm, '')

/** False where the browser did not let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyTheOldWay(text) // no clipboard without https, or none without a click
  }
}

function copyTheOldWay(text: string): boolean {
  const put = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  document.addEventListener('copy', put, { capture: true, once: true })
  const isDone = document.execCommand('copy')
  document.removeEventListener('copy', put, { capture: true })
  return isDone
}
