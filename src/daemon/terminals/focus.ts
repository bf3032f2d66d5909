/** Which terminal somebody looked at or typed in last: after a crash it is woken first. */
import type { TerminalId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'

const SETTING = 'focused'

export class Focus {
  private current: TerminalId | null = null
  private kept: TerminalId | null = null

  constructor(private readonly store: Store) {}

  note(id: TerminalId): void {
    this.current = id
  }

  /** Their ids are not to be written down again. */
  forget(ids: readonly TerminalId[]): void {
    if (this.current !== null && ids.includes(this.current)) this.current = null
    if (this.kept !== null && ids.includes(this.kept)) this.kept = null
  }

  /** Called while screens are kept: who only looks around writes nothing at that moment, and who does nothing never. */
  async keep(): Promise<void> {
    const { current } = this
    if (current === null || current === this.kept) return
    await this.store.keepSetting(SETTING, current)
    this.kept = current
  }

  /** As it was when the daemon before this one kept it. */
  async last(): Promise<TerminalId | null> {
    return (await this.store.setting(SETTING)) as TerminalId | null
  }
}
