/**
 * A function for the browser, as text: `([before, after]) => { png, changedShare, width, height }`, all images PNG in Base64.
 *
 * Rows that are equal in both images are aligned first, so that an inserted paragraph does not mark the rest of the page. The result
 * marks blocks of 8 by 8 pixels: red in removed rows, green in added rows, and amber elsewhere. `changedShare` is their part of the area.
 */
export const differenceScript = /* js */ `async ([before, after]) => {
  const blockSize = 8
  const tolerance = 16
  const tints = { removed: [207, 34, 46], added: [26, 127, 55], changed: [191, 120, 0] }

  const read = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const { width, height } = bitmap
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    context.drawImage(bitmap, 0, 0)
    return { width, height, data: context.getImageData(0, 0, width, height).data }
  }
  const [old, now] = [await read(before), await read(after)]
  const width = Math.min(old.width, now.width)

  const toRows = ({ width: rowWidth, height, data }) => {
    const pixels = new Uint32Array(data.buffer)
    return Array.from({ length: height }, (_, y) => {
      let [low, high] = [0, 0]
      for (let x = 0; x < width; x++) {
        const pixel = pixels[y * rowWidth + x]
        low = (Math.imul(low, 31) + pixel) | 0
        high = Math.imul(high ^ pixel, 0x01000193)
      }
      return low + ':' + high
    })
  }
  const [oldRows, newRows] = [toRows(old), toRows(now)]

  // Rows that occur once in both images and keep their order: a longest increasing sequence, as in a patience diff.
  const findUnique = (rows) => {
    const positions = new Map()
    rows.forEach((row, y) => positions.set(row, positions.has(row) ? -1 : y))
    return positions
  }
  const [oldUnique, newUnique] = [findUnique(oldRows), findUnique(newRows)]
  const piles = []
  for (const [row, y] of oldUnique) {
    const other = y < 0 ? -1 : (newUnique.get(row) ?? -1)
    if (other < 0) continue
    let [low, high] = [0, piles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (piles[middle].other < other) low = middle + 1
      else high = middle
    }
    piles[low] = { y, other, previous: piles[low - 1] }
  }
  const anchors = []
  for (let one = piles.at(-1); one; one = one.previous) anchors.unshift(one)

  // Pairs of rows; -1 for a row without a counterpart.
  const pairs = []
  let [a, b] = [0, 0]
  for (const anchor of [...anchors, { y: old.height, other: now.height }]) {
    let [aEnd, bEnd] = [anchor.y, anchor.other]
    while (a < aEnd && b < bEnd && oldRows[a] === newRows[b]) pairs.push([a++, b++])
    const tail = []
    while (a < aEnd && b < bEnd && oldRows[aEnd - 1] === newRows[bEnd - 1]) tail.unshift([--aEnd, --bEnd])
    while (a < aEnd && b < bEnd) pairs.push([a++, b++])
    while (a < aEnd) pairs.push([a++, -1])
    while (b < bEnd) pairs.push([-1, b++])
    for (const pair of tail) pairs.push(pair)
    ;[a, b] = [anchor.y, anchor.other]
  }

  const height = pairs.length
  const image = new ImageData(width, height)
  // The counterpart of a row that exists only once is an empty row, so that blank space is not marked.
  const toSources = ([oldRow, newRow]) => {
    const start = ({ width: rowWidth }, row) => row * rowWidth * 4
    if (newRow < 0) return { kind: 'removed', shown: old, at: start(old, oldRow) }
    if (oldRow < 0) return { kind: 'added', shown: now, at: start(now, newRow) }
    const isEqual = oldRows[oldRow] === newRows[newRow]
    return { kind: 'changed', isEqual, shown: now, at: start(now, newRow), otherAt: start(old, oldRow) }
  }
  const differs = ({ shown, at, otherAt }, x) => {
    for (let channel = 0; channel < 3; channel++) {
      const other = otherAt === undefined ? shown.data[at + channel] : old.data[otherAt + x * 4 + channel]
      if (Math.abs(shown.data[at + x * 4 + channel] - other) > tolerance) return true
    }
    return false
  }
  const columns = Math.ceil(width / blockSize)
  let changedPixels = 0
  for (let top = 0; top < height; top += blockSize) {
    const rows = pairs.slice(top, top + blockSize).map(toSources)
    const marked = { removed: new Uint8Array(columns), added: new Uint8Array(columns), changed: new Uint8Array(columns) }
    for (const row of rows) {
      if (row.isEqual) continue
      const blocks = marked[row.kind]
      for (let x = 0; x < width; x++) {
        const column = (x / blockSize) | 0
        if (!blocks[column] && differs(row, x)) blocks[column] = 1
      }
    }
    rows.forEach(({ kind, shown: { data }, at }, index) => {
      const tint = tints[kind]
      for (let x = 0; x < width; x++) {
        const isMarked = marked[kind][(x / blockSize) | 0] === 1
        if (isMarked) changedPixels++
        const from = at + x * 4
        const to = ((top + index) * width + x) * 4
        const gray = data[from] * 0.299 + data[from + 1] * 0.587 + data[from + 2] * 0.114
        for (let channel = 0; channel < 3; channel++) {
          // Unchanged parts are faded. Changed parts keep their contrast under the tint.
          image.data[to + channel] = isMarked ? gray * 0.72 + tint[channel] * 0.28 : 255 - (255 - gray) * 0.3
        }
        image.data[to + 3] = 255
      }
    })
  }

  const canvas = new OffscreenCanvas(width, Math.max(1, height))
  canvas.getContext('2d').putImageData(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
  return { png: url.slice(url.indexOf(',') + 1), changedShare: changedPixels / (width * Math.max(1, height)) }
}`
