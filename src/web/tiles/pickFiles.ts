/** The browser's own way to choose files; none when it was closed. */
export function pickFiles(): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const field = Object.assign(document.createElement('input'), { type: 'file', multiple: true })
    field.addEventListener('change', () => resolve([...(field.files ?? [])]))
    field.addEventListener('cancel', () => resolve([]))
    field.click()
  })
}
