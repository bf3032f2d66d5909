/** Files put into a terminal: each is sent to the daemon, which keeps it beside the terminal's things and says where. */

export const LARGEST_FILE = 50 << 20

export type UploadState =
  | { readonly kind: 'sending'; readonly name: string; readonly files: number; readonly sent: number; readonly total: number }
  | { readonly kind: 'refused'; readonly text: string }

export type Sent = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string }

export type UploadsOptions = {
  readonly send: (file: File, onProgress: (bytes: number) => void) => Promise<Sent>
  /** Types the paths, without Enter. */
  readonly onPaths: (text: string) => void
  readonly onState: (state: UploadState | null) => void
}

export class Uploads {
  private readonly options: UploadsOptions
  private isSending = false

  constructor(options: UploadsOptions) {
    this.options = options
  }

  /** One after the other; what cannot be sent is said, and nothing is typed then. */
  async take(files: readonly File[]): Promise<void> {
    if (files.length === 0) return
    const why = this.isSending ? 'Another upload is in progress. Wait until it is done.' : whyNot(files)
    if (why !== null) return this.refuse(why)
    this.isSending = true
    const paths = await this.sendAll(files)
    this.isSending = false
    if (paths === null) return
    this.options.onState(null)
    this.options.onPaths(`${paths.map(shellQuote).join(' ')} `)
  }

  dismiss(): void {
    if (!this.isSending) this.options.onState(null)
  }

  private async sendAll(files: readonly File[]): Promise<readonly string[] | null> {
    const { send, onState } = this.options
    const total = files.reduce((sum, { size }) => sum + size, 0)
    const paths: string[] = []
    let before = 0
    for (const file of files) {
      const tell = (bytes: number): void => onState({ kind: 'sending', name: file.name, files: files.length, sent: before + bytes, total })
      tell(0)
      const answer = await send(file, tell)
      if (!answer.ok) {
        this.refuse(`cannot send ${file.name}: ${answer.why}`)
        return null
      }
      paths.push(answer.path)
      before += file.size
    }
    return paths
  }

  private refuse(text: string): void {
    this.options.onState({ kind: 'refused', text })
  }
}

function whyNot(files: readonly File[]): string | null {
  const large = files.find(({ size }) => size > LARGEST_FILE)
  return large === undefined
    ? null
    : `cannot send ${large.name}: it has ${megabytes(large.size)} MB, and the limit is ${megabytes(LARGEST_FILE)} MB.`
}

const megabytes = (bytes: number): number => Math.ceil(bytes / (1 << 20))

/** Progress of the upload, in words. */
export const uploadWords = (state: UploadState): string => {
  if (state.kind === 'refused') return state.text
  const share = state.total === 0 ? 100 : Math.floor((100 * state.sent) / state.total)
  return `Sending ${state.name}${state.files > 1 ? ` (${state.files} files)` : ''}: ${share}%`
}

/** A path as one word for a POSIX shell. */
export const shellQuote = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
