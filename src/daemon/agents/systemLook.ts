import { linuxLook, systemProcFiles } from './linuxLook.ts'
import { macLook, runTool } from './macLook.ts'
import type { ProcessLook } from './processLook.ts'

export const systemLook = (): ProcessLook => (process.platform === 'linux' ? linuxLook(systemProcFiles) : macLook(runTool))
