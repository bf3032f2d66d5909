/** How large a tile must be for its terminal to be drawn in it. Pure. */

/** A title bar and two rows; a few words wide. */
const LEAST = { width: 90, height: 70 }
/** Who drags a border to and fro across that size does not see it flicker. */
const SLACK_PX = 8

export function hasRoom({ width, height }: { readonly width: number; readonly height: number }, had: boolean | null): boolean {
  const slack = had === true ? SLACK_PX : 0
  return width >= LEAST.width - slack && height >= LEAST.height - slack
}
