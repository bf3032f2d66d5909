/** The probe's side of probe.mjs: each message names an action and is answered with its result; the end of the bench ends the probe. */
export function answerAsks(actions) {
  process.on('message', async ({ id, action, options }) => {
    try {
      process.send({ id, result: await actions[action](options) })
    } catch (error) {
      process.send({ id, error: error.message })
    }
  })
  process.on('disconnect', () => process.exit(0))
}
