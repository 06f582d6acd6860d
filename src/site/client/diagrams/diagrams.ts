import { diagrams as english } from '../../messages/script-messages.ts'
import { loadTranslation } from '../page-messages.ts'
import { describeDiagram } from './describe-diagram.ts'
import { findExceededLimit } from './diagram-limits.ts'
import { hasStoppedDrawing, markDrawing } from './unfinished-drawings.ts'
import { fitDiagram, handleZoom } from './zoom-diagram.ts'

// Draws the diagrams of a page. Pages with diagrams load this script. It loads Mermaid when the first diagram is near the
// viewport. Diagrams in closed parts are drawn when the reader opens them.

/** How far below the viewport a diagram is drawn. */
const rootMargin = '800px 0px'
/** How long a diagram may wait for something, in milliseconds. */
const patience = 20_000

let texts: Readonly<Record<keyof typeof english, string>> = english
let language = 'en'

const waiting: HTMLElement[] = []
let isDrawing = false

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue
      observer.unobserve(target)
      waiting.push(target)
    }
    void drawWaiting()
  },
  { rootMargin },
)

watch()
handleZoom()
// The local preview replaces the parts of a page that changed.
document.addEventListener('preview:patched', watch)

function watch(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('.diagram:not([data-state])')) {
    figure.dataset['state'] = 'waiting'
    observer.observe(figure)
  }
}

/** Draws one diagram at a time, and lets the browser handle input in between. */
async function drawWaiting(): Promise<void> {
  if (isDrawing) return
  isDrawing = true
  const translation = await loadTranslation()
  if (translation) ({ diagrams: texts, language } = translation)
  for (let figure = waiting.shift(); figure; figure = waiting.shift()) {
    await draw(figure)
    await new Promise((resolve) => setTimeout(resolve))
  }
  isDrawing = false
}

async function draw(figure: HTMLElement): Promise<void> {
  const source = figure.querySelector('pre')?.textContent ?? ''
  const limit = findExceededLimit(source, texts, language)
  if (limit !== undefined) return showError(figure, limit)
  if (hasStoppedDrawing(source)) return offerDrawing(figure)
  await drawNow(figure, source)
}

async function drawNow(figure: HTMLElement, source: string): Promise<void> {
  figure.dataset['state'] = 'drawing'
  const library = await import('./draw-diagram.ts').catch(() => undefined)
  if (!library) return showError(figure, texts.scriptFailed)
  const finish = markDrawing(source)
  try {
    const width = Math.max(figure.clientWidth, 600)
    const drawn = await Promise.race([library.drawDiagram(source, width), stopLater()])
    await show(figure, drawn.svg, drawn.width, drawn.height, describeDiagram(drawn, texts))
    figure.toggleAttribute('data-dark', drawn.isDark)
  } catch (error) {
    showError(figure, error instanceof Error ? error.message : String(error))
  } finally {
    finish()
  }
}

function stopLater(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error(texts.slow)), patience))
}

async function show(figure: HTMLElement, svg: string, width: number, height: number, alt: string): Promise<void> {
  const image = new Image()
  image.dataset['natural'] = `${Math.ceil(width)} ${Math.ceil(height)}`
  image.alt = alt
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  image.src = url
  try {
    await image.decode()
  } finally {
    URL.revokeObjectURL(url)
  }
  figure.querySelector('.drawing')?.replaceChildren(image)
  figure.dataset['state'] = 'drawn'
  fitDiagram(figure)
}

function showError(figure: HTMLElement, message: string): void {
  const text = document.createElement('pre')
  text.textContent = message
  showMessage(figure, texts.failed, text)
}

/** Drawing the diagram made the page stop before. Without this, the reader could never use the page. */
function offerDrawing(figure: HTMLElement): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn'
  button.textContent = texts.drawAgain
  button.addEventListener('click', () => void drawNow(figure, figure.querySelector('details pre')?.textContent ?? ''))
  showMessage(figure, texts.unfinished, button)
}

function showMessage(figure: HTMLElement, message: string, more: HTMLElement): void {
  const paragraph = document.createElement('p')
  paragraph.textContent = message
  figure.querySelector('.drawing')?.replaceChildren(paragraph, more)
  figure.dataset['state'] = 'failed'
  const fold = figure.querySelector('details')
  if (fold) fold.open = true
}
