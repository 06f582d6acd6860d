import { spawn } from 'node:child_process'

/** Opens an address of ours in the person's browser; tells where that is not to be had. */
export function openBrowser(address: string, onFailure: () => void): void {
  const [program = '', ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer.exe'] : ['xdg-open']
  const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
  child.once('error', onFailure)
  // Windows' own program ends with 1 when all went well.
  if (process.platform !== 'win32') child.once('exit', (code) => code !== 0 && onFailure())
  child.unref()
}
