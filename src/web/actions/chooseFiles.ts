/** Lets the user choose files of this machine, as the browser does it. */
export function chooseFiles(onChosen: (files: readonly File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.addEventListener('change', () => onChosen([...(input.files ?? [])]))
  input.click()
}
