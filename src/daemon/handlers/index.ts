/** One handler per row of the command table; the compiler rejects a missing one. */
import type { CommandName } from '../../wire/commands.ts'
import type { Handler } from '../connection.ts'
import { installedAgents } from './agent.installed.ts'
import { logOfAgents } from './agent.log.ts'
import { reportAgent } from './agent.report.ts'
import { arrangeCanvas } from './canvas.arrange.ts'
import { placeOnCanvas } from './canvas.place.ts'
import { createCheckpoint } from './checkpoint.create.ts'
import { deleteCheckpoint } from './checkpoint.delete.ts'
import { diffCheckpoint } from './checkpoint.diff.ts'
import { listCheckpoints } from './checkpoint.list.ts'
import { checkpointScreen } from './checkpoint.screen.ts'
import { showCheckpoint } from './checkpoint.show.ts'
import { setConfig } from './config.set.ts'
import { showConfig } from './config.show.ts'
import { daemonStatus } from './daemon.status.ts'
import { stopDaemon } from './daemon.stop.ts'
import { listDevices, logOutDevice, renameDevice, revokeDevices, showAuthLog } from './device.ts'
import { completeDirectory } from './directory.complete.ts'
import { recentDirectories } from './directory.recent.ts'
import { moveInTheDock } from './dock.move.ts'
import { applyForgetting } from './forget.apply.ts'
import { planForgetting } from './forget.plan.ts'
import { closeGroup } from './group.close.ts'
import { colorAGroup } from './group.color.ts'
import { listGroups } from './group.list.ts'
import { moveAGroup } from './group.move.ts'
import { newGroup } from './group.new.ts'
import { renameAGroup } from './group.rename.ts'
import { showHealth } from './health.show.ts'
import { activateInLayout } from './layout.activate.ts'
import { balanceLayout } from './layout.balance.ts'
import { presetLayout } from './layout.preset.ts'
import { sizeLayout } from './layout.sizes.ts'
import { zoomLayout } from './layout.zoom.ts'
import { answerRecovery } from './recovery.answer.ts'
import { showRecovery } from './recovery.show.ts'
import { addWorktree } from './repository.addWorktree.ts'
import { showRepository } from './repository.show.ts'
import { applyRestore } from './restore.apply.ts'
import { planRestoreOf } from './restore.plan.ts'
import { setOnRestore } from './restore.set.ts'
import { searchQuery } from './search.query.ts'
import { adoptTerminals } from './terminal.adopt.ts'
import { attachTerminal } from './terminal.attach.ts'
import { closeTerminal } from './terminal.close.ts'
import { listClosed } from './terminal.closed.ts'
import { closingOf } from './terminal.closing.ts'
import { terminalHistory } from './terminal.history.ts'
import { listTerminals } from './terminal.list.ts'
import { lookAtTerminal } from './terminal.look.ts'
import { moveTerminal } from './terminal.move.ts'
import { muteTerminal } from './terminal.mute.ts'
import { createTerminal } from './terminal.new.ts'
import { openTerminal } from './terminal.open.ts'
import { pinTerminal } from './terminal.pin.ts'
import { terminalPosition } from './terminal.position.ts'
import { readTerminal } from './terminal.read.ts'
import { renameTerminal } from './terminal.rename.ts'
import { reopenTerminal } from './terminal.reopen.ts'
import { resizeTerminal } from './terminal.resize.ts'
import { seeTerminal } from './terminal.seen.ts'
import { sendToTerminal } from './terminal.send.ts'
import { sleepTerminal } from './terminal.sleep.ts'
import { themeTerminal } from './terminal.theme.ts'
import { waitForTerminal } from './terminal.wait.ts'
import { wakeTerminal } from './terminal.wake.ts'
import { watch } from './watch.ts'
import { makeWebLogin } from './web.login.ts'
import { closeWorkspace } from './workspace.close.ts'
import { exportWorkspace } from './workspace.export.ts'
import { importWorkspace } from './workspace.import.ts'
import { listWorkspaces } from './workspace.list.ts'
import { moveAWorkspace } from './workspace.move.ts'
import { newWorkspace } from './workspace.new.ts'
import { renameWorkspace } from './workspace.rename.ts'
import { startOver } from './workspace.startOver.ts'
import { viewWorkspace } from './workspace.view.ts'

export const HANDLERS: { readonly [Name in CommandName]: Handler<Name> } = {
  'terminal.list': listTerminals,
  'terminal.new': createTerminal,
  'terminal.adopt': adoptTerminals,
  'terminal.attach': attachTerminal,
  'terminal.open': openTerminal,
  'terminal.send': sendToTerminal,
  'terminal.look': lookAtTerminal,
  'terminal.resize': resizeTerminal,
  'terminal.read': readTerminal,
  'terminal.history': terminalHistory,
  'terminal.position': terminalPosition,
  'terminal.wait': waitForTerminal,
  'terminal.rename': renameTerminal,
  'terminal.wake': wakeTerminal,
  'terminal.close': closeTerminal,
  'terminal.closing': closingOf,
  'terminal.closed': listClosed,
  'forget.plan': planForgetting,
  'forget.apply': applyForgetting,
  'terminal.reopen': reopenTerminal,
  'workspace.startOver': startOver,
  'terminal.sleep': sleepTerminal,
  'terminal.move': moveTerminal,
  'agent.log': logOfAgents,
  'search.query': searchQuery,
  'health.show': showHealth,
  'recovery.show': showRecovery,
  'recovery.answer': answerRecovery,
  'restore.plan': planRestoreOf,
  'restore.apply': applyRestore,
  'restore.set': setOnRestore,
  'workspace.export': exportWorkspace,
  'workspace.import': importWorkspace,
  'agent.report': reportAgent,
  'workspace.list': listWorkspaces,
  'workspace.new': newWorkspace,
  'workspace.rename': renameWorkspace,
  'workspace.close': closeWorkspace,
  'checkpoint.list': listCheckpoints,
  'checkpoint.show': showCheckpoint,
  'checkpoint.screen': checkpointScreen,
  'checkpoint.diff': diffCheckpoint,
  'checkpoint.create': createCheckpoint,
  'checkpoint.delete': deleteCheckpoint,
  'daemon.status': daemonStatus,
  'daemon.stop': stopDaemon,
  'web.login': makeWebLogin,
  'device.list': listDevices,
  'device.rename': renameDevice,
  'device.revoke': revokeDevices,
  'device.logOut': logOutDevice,
  'device.log': showAuthLog,
  watch,
  'workspace.view': viewWorkspace,
  'layout.sizes': sizeLayout,
  'layout.balance': balanceLayout,
  'layout.preset': presetLayout,
  'layout.activate': activateInLayout,
  'layout.zoom': zoomLayout,
  'canvas.place': placeOnCanvas,
  'canvas.arrange': arrangeCanvas,
  'dock.move': moveInTheDock,
  'workspace.move': moveAWorkspace,
  'group.list': listGroups,
  'group.new': newGroup,
  'group.rename': renameAGroup,
  'group.color': colorAGroup,
  'group.move': moveAGroup,
  'group.close': closeGroup,
  'terminal.theme': themeTerminal,
  'terminal.pin': pinTerminal,
  'terminal.mute': muteTerminal,
  'terminal.seen': seeTerminal,
  'agent.installed': installedAgents,
  'directory.complete': completeDirectory,
  'directory.recent': recentDirectories,
  'repository.show': showRepository,
  'repository.addWorktree': addWorktree,
  'config.show': showConfig,
  'config.set': setConfig,
}
