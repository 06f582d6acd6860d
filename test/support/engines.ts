import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeEach, onTestFinished } from 'vitest'
import { launchVisualBrowser } from '../visual/support/visual-browser.ts'
import { makeFontFolder } from './page-fonts.ts'

/** A browser with one window. */
export interface Engine {
  readonly name: 'Chromium' | 'Firefox' | 'WebKit'
  /** Loads a page in a window whose content has this size in CSS pixels. */
  open(url: string, width: number, height: number): Promise<void>
  /** The value of an expression in the page, awaited. It must be JSON. */
  evaluate<T>(expression: string): Promise<T>
  /** Clicks an element like a person, for what pages may do in a click only. */
  press(selector: string): Promise<void>
}

export interface EngineOptions {
  /** Whether the browser replaces the colors of pages. WebKit cannot. */
  readonly hasForcedColors?: boolean
}

const programs = [
  { debianPackage: 'firefox-esr', names: [process.env['FIREFOX_PATH'] ?? '', 'firefox-esr', 'firefox'] },
  { debianPackage: 'webkit2gtk-driver', names: ['WebKitWebDriver'] },
  { debianPackage: 'xvfb', names: ['Xvfb'] },
].map(({ debianPackage, names }) => ({ debianPackage, path: findProgram(names) }))
const [firefoxPath, webKitPath, screenPath] = programs.map(({ path }) => path ?? '')

// Importing this file marks a test file as one that needs three engines.
const missing = programs.filter(({ path }) => path === undefined)
if (missing.length > 0) {
  const list = missing.map(({ debianPackage }) => `\`${debianPackage}\``).join(', ')
  console.log(`Tests in three browser engines are skipped: install the Debian packages ${list}`)
  beforeEach(({ skip }) => skip('no other browser engines'))
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = names.flatMap((name) => (name.includes('/') ? name : name && folders.map((folder) => join(folder, name))))
  return paths.find((path) => path !== '' && existsSync(path))
}

/** Starts engines that use the same fonts, Chromium first. They end with the running test. */
export async function startEngines({ hasForcedColors = false }: EngineOptions = {}): Promise<readonly Engine[]> {
  const starts = [startChromium(hasForcedColors), startFirefox(hasForcedColors), ...(hasForcedColors ? [] : [startWebKit()])]
  return await Promise.all(starts)
}

async function startChromium(hasForcedColors: boolean): Promise<Engine> {
  const browser = await launchVisualBrowser({})
  onTestFinished(() => browser.close())
  const page: Page = await browser.newPage({ reducedMotion: 'reduce', forcedColors: hasForcedColors ? 'active' : 'none' })
  return {
    name: 'Chromium',
    async open(url, width, height) {
      await page.setViewportSize({ width, height })
      await page.goto(url)
    },
    evaluate: (expression) => page.evaluate(expression),
    press: (selector) => page.click(selector),
  }
}

/** Speaks WebDriver BiDi: https://w3c.github.io/webdriver-bidi/ */
async function startFirefox(hasForcedColors: boolean): Promise<Engine> {
  const { env, folder } = makeHome()
  const preferences = {
    'browser.display.document_color_use': hasForcedColors ? 2 : 0,
    'ui.prefersReducedMotion': 1,
    // Scroll bars have no width, as in the other engines.
    'ui.useOverlayScrollbars': 1,
    'widget.gtk.overlay-scrollbars.enabled': true,
    // With a mouse.
    'ui.primaryPointerCapabilities': 6,
  }
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref('${name}', ${value});\n`)
  writeFileSync(join(folder, 'user.js'), lines.join(''))
  // In its sandbox, pages could not read the fonts.
  Object.assign(env, { MOZ_DISABLE_CONTENT_SANDBOX: '1' })
  const child = run(firefoxPath, ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0'], env)
  const address = await readFrom(child, /listening on (ws:\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  let last = 0
  const waiting = new Map<number, (message: { result?: unknown; message?: string }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data))
    waiting.get(message.id)?.(message)
  })
  const ask = async <T>(method: string, params: object): Promise<T> => {
    const id = ++last
    const answer = new Promise<{ result?: unknown; message?: string }>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await answer
    waiting.delete(id)
    if (result === undefined) throw new Error(`Firefox: ${method}: ${message}`)
    return result as T
  }
  await ask('session.new', { capabilities: {} })
  const tree = await ask<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const context = tree.contexts[0]?.context
  const evaluate = async <T>(expression: string, userActivation = false): Promise<T> => {
    const params = { expression: toJson(expression), target: { context }, awaitPromise: true, userActivation }
    const answer = await ask<{ result?: { value?: string } }>('script.evaluate', params)
    return fromJson(answer.result?.value ?? JSON.stringify(answer))
  }
  return {
    name: 'Firefox',
    async open(url, width, height) {
      await ask('browsingContext.setViewport', { context, viewport: { width, height } })
      await ask('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    evaluate,
    press: (selector) => evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`, true),
  }
}

/** Speaks WebDriver (https://w3c.github.io/webdriver/) with a browser on a virtual screen. */
async function startWebKit(): Promise<Engine> {
  const { env, folder } = makeHome()
  mkdirSync(join(folder, 'gtk-3.0'))
  writeFileSync(join(folder, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
  // Its bar would make windows wider than a phone.
  writeFileSync(
    join(folder, 'gtk-3.0/gtk.css'),
    '* { min-width: 0; padding: 0; margin: 0; border-width: 0; -gtk-icon-source: none }',
  )
  const screen = run(screenPath, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], env)
  const display = `:${await readFrom(screen, /^(\d+)\n/)}`
  const port = await findPort()
  run(webKitPath, ['-p', String(port)], { ...env, DISPLAY: display, NO_AT_BRIDGE: '1' })
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: T }
    if (!response.ok) throw new Error(`WebKit: ${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
  while (!(await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined))) await setTimeout(50)
  // On a busy machine, pages take longer than the 30 s of the driver. The test has a limit of its own.
  const capabilities = { alwaysMatch: { timeouts: { script: 600_000, pageLoad: 600_000 } } }
  const { sessionId } = await ask<{ sessionId: string }>('POST', '', { capabilities })
  onTestFinished(() => ask('DELETE', `/${sessionId}`))
  const evaluate = async <T>(expression: string): Promise<T> => {
    const script = `const done = arguments[0]; Promise.resolve(${toJson(expression)}).then(done, (error) => done('!' + error))`
    return fromJson(await ask('POST', `/${sessionId}/execute/async`, { script, args: [] }))
  }
  return {
    name: 'WebKit',
    async open(url, width, height) {
      await ask('POST', `/${sessionId}/window/rect`, { width, height })
      const bar = height - (await evaluate<number>('innerHeight'))
      await ask('POST', `/${sessionId}/window/rect`, { width, height: height + bar })
      await ask('POST', `/${sessionId}/url`, { url })
    },
    evaluate,
    async press(selector) {
      const found = await ask<object>('POST', `/${sessionId}/element`, { using: 'css selector', value: selector })
      const [id] = Object.values(found)
      await ask('POST', `/${sessionId}/element/${id}/click`, {})
    },
  }
}

/** The folder of a browser's files, and its environment. */
function makeHome() {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  const fonts = makeFontFolder()
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    fonts.remove()
  })
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder }
  return { folder, env: { ...env, FONTCONFIG_FILE: fonts.file, LANG: 'C.UTF-8', TZ: 'UTC' } }
}

/** Starts a program that ends with the running test. */
function run(path: string | undefined, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(path ?? '', args, { env })
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  return child
}

/** The first group of a pattern in what a program prints. */
async function readFrom(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  return await new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk
      const [, found] = pattern.exec(text) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`${child.spawnfile} has ended: ${text}`)))
    child.once('error', reject)
  })
}

async function findPort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

const toJson = (expression: string) => `Promise.resolve(${expression}).then((value) => JSON.stringify({ value }))`

function fromJson<T>(text: string | undefined): T {
  if (!text || !/^\{(?:"value"|\})/.test(text)) throw new Error(`The page has thrown: ${text}`)
  return JSON.parse(text).value
}
