import type { ReactNode } from 'react'

const SHAPES = {
  splitRight: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="2" />
      <path d="M8 3v10" />
    </>
  ),
  splitDown: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="2" />
      <path d="M2 8h12" />
    </>
  ),
  zoom: <path d="M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-5 5M2.5 13.5l5-5" />,
  unzoom: <path d="M13 6.5H9.5V3M3 9.5h3.5V13M9.5 6.5l4-4M6.5 9.5l-4 4" />,
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2.2" />,
  close: <path d="m4 4 8 8m0-8-8 8" />,
  plus: <path d="M8 3v10M3 8h10" />,
  minus: <path d="M3 8h10" />,
  split: (
    <>
      <rect x="2" y="3" width="12" height="10" rx="2" />
      <path d="M8 3v10M8 8h6" />
    </>
  ),
  canvas: (
    <>
      <rect x="2" y="2.5" width="6.5" height="5" rx="1.2" />
      <rect x="10.5" y="5" width="3.5" height="3.5" rx="1" />
      <rect x="4.5" y="10" width="7" height="3.5" rx="1.2" />
    </>
  ),
  layout: (
    <>
      <rect x="2" y="2" width="5" height="5" rx="1.2" />
      <rect x="9" y="2" width="5" height="5" rx="1.2" />
      <rect x="2" y="9" width="5" height="5" rx="1.2" />
      <rect x="9" y="9" width="5" height="5" rx="1.2" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  settings: (
    <>
      <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" />
      <circle cx="10" cy="4.5" r="1.9" />
      <circle cx="6" cy="11.5" r="1.9" />
    </>
  ),
  fit: <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />,
  moon: <path d="M13 9.6A5.4 5.4 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6Z" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.6v1.6M8 12.8v1.6M1.6 8h1.6M12.8 8h1.6M3.5 3.5l1.1 1.1M11.4 11.4l1.1 1.1M12.5 3.5l-1.1 1.1M4.6 11.4l-1.1 1.1" />
    </>
  ),
  down: <path d="m4 6 4 4 4-4" />,
  up: <path d="m4 10 4-4 4 4" />,
  eye: (
    <>
      <path d="M1.6 8S4 3.6 8 3.6 14.4 8 14.4 8 12 12.4 8 12.4 1.6 8 1.6 8Z" />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
  arrange: <path d="M2.5 4h3M7.5 4h6M2.5 8h5M9.5 8h4M2.5 12h2M6.5 12h7" />,
} as const satisfies Readonly<Record<string, ReactNode>>

export type IconName = keyof typeof SHAPES

/** Says nothing by itself: what holds it has a label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  )
}
