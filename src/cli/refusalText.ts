import type { Refusal } from '../base/refusal.ts'

export const refusalText = ({ message, hint }: Refusal): string => `holdfast: ${message}${hint === '' ? '' : `\n  ${hint}`}`
