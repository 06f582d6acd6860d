/** Labels get too small to read below this scale, so that wide diagrams scroll. */
const smallest = 0.7
/** A diagram that is only a little too wide fits, too. */
const nearlySmallest = 0.65
const step = 1.25
const least = 0.2
const most = 5
/** Diagrams up to this height have no zoom controls unless their author asks for them. */
const lowHeight = 120

/** Shows a drawn diagram at the size that fits its box, also when the box changes its size. */
export function fitDiagram(figure: HTMLElement): void {
  fitToBox(figure)
  const { actions } = figure.dataset
  const zoom = figure.querySelector<HTMLElement>('.zoom')
  if (zoom) zoom.hidden = actions === undefined ? readNatural(figure).height <= lowHeight : actions !== 'true'
  boxes.observe(figure)
}

const boxes = new ResizeObserver((entries) => {
  for (const { target } of entries) if (target instanceof HTMLElement && target.dataset['zoomed'] === undefined) fitToBox(target)
})

function fitToBox(figure: HTMLElement): void {
  const box = figure.querySelector<HTMLElement>('.drawing')
  if (!box) return
  const { paddingLeft, paddingRight } = getComputedStyle(box)
  const available = box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
  const { width } = readNatural(figure)
  // A closed part of the page has no size.
  if (available <= 0 || width <= 0) return
  const fitting = Math.min(1, available / width)
  setScale(figure, fitting < nearlySmallest ? smallest : fitting)
}

/** Handles the buttons of all diagrams. */
export function handleZoom(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-zoom]') : null
    const figure = button?.closest<HTMLElement>('.diagram')
    if (!button || !figure) return
    const way = button.dataset['zoom']
    if (way === 'fit') {
      delete figure.dataset['zoomed']
      fitToBox(figure)
      return
    }
    figure.dataset['zoomed'] = ''
    const { width } = readNatural(figure)
    // The property `width` is the rendered size.
    const scale = Number(figure.querySelector('.drawing img')?.getAttribute('width')) / width
    setScale(figure, Math.min(most, Math.max(least, way === 'in' ? scale * step : scale / step)))
  })
}

function readNatural(figure: HTMLElement): { width: number; height: number } {
  const [width = 0, height = 0] = (figure.querySelector<HTMLElement>('.drawing img')?.dataset['natural'] ?? '')
    .split(' ')
    .map(Number)
  return { width, height }
}

/** Keeps the center of the visible part where it is. */
function setScale(figure: HTMLElement, scale: number): void {
  const box = figure.querySelector<HTMLElement>('.drawing')
  const image = box?.querySelector('img')
  if (!box || !image) return
  const { width, height } = readNatural(figure)
  const center = [
    (box.scrollLeft + box.clientWidth / 2) / box.scrollWidth,
    (box.scrollTop + box.clientHeight / 2) / box.scrollHeight,
  ]
  image.width = Math.round(width * scale)
  image.height = Math.round(height * scale)
  box.scrollLeft = (center[0] ?? 0) * box.scrollWidth - box.clientWidth / 2
  box.scrollTop = (center[1] ?? 0) * box.scrollHeight - box.clientHeight / 2
}
