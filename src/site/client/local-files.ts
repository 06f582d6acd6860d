/**
 * Replaces `fetch` on pages that are opened from a disk, where browsers refuse requests. An exported site has each file that scripts need as a
 * script, see `toOfflineFiles`: `names.json` as `names.json.js`. It stores the text in its own element.
 */
globalThis.fetch = (input) =>
  new Promise((resolve, reject) => {
    // Pages are no scripts. The links to them stay.
    if (!String(input).endsWith('.json')) return reject(new TypeError(`Cannot read ${String(input)}`))
    const script: HTMLScriptElement & { localFile?: string } = document.createElement('script')
    script.src = `${String(input)}.js`
    script.onload = () => {
      script.remove()
      resolve(new Response(script.localFile, { status: script.localFile === undefined ? 404 : 200 }))
    }
    script.onerror = () => {
      script.remove()
      reject(new TypeError(`Cannot load ${script.src}`))
    }
    document.head.append(script)
  })
