import { usePage } from '../../hooks/parts.ts'
import { type Palette, shadesOf } from '../../tiles/draw/schemes.ts'

const USUAL_FONTS = 'ui-monospace, monospace'

/** A few words in the font and the colours of terminals, as they would be drawn. */
export function Preview() {
  const settings = usePage(({ settings }) => settings)
  const light = shadesOf(settings.terminalTheme, { isDark: false }).palette
  const dark = shadesOf(settings.terminalTheme, { isDark: true }).palette
  const colour = (name: keyof Palette) => `light-dark(${light[name]}, ${dark[name]})`
  const style = {
    background: colour('background'),
    color: colour('foreground'),
    fontFamily: settings.fontFamily === '' ? USUAL_FONTS : `${settings.fontFamily}, ${USUAL_FONTS}`,
    fontSize: settings.fontSize,
  }
  return (
    <pre className="preview" style={style} aria-label="Preview of a terminal" role="img">
      <span style={{ color: colour('green') }}>mia@box</span> <span style={{ color: colour('blue') }}>~/src</span> $ git status{'\n'}
      On branch <span style={{ color: colour('cyan') }}>main</span>, <span style={{ color: colour('yellow') }}>2 changed</span>,{' '}
      <span style={{ color: colour('red') }}>1 gone</span> <span style={{ color: colour('brightBlack') }}># 0O 1lI != =&gt;</span>
    </pre>
  )
}
