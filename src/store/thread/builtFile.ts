/**
 * Where a compiled entry lies, `daemon/screens/screenWorker.js` for example. The bundles in dist/ have the folders of build/. Tests run
 * from src/, where nothing is compiled, and take the entry in build/.
 */
const NEAR = import.meta.url.replace(/\/(?:src|build)\/store\/.*$/, '/build/store/any.js')

export const builtFile = (name: string): URL => new URL(`../${name}`, NEAR)
