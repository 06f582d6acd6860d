import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../send/sent.ts'

/** A picture of the types that `chooseReading` lets through; its address lasts as long as it is shown. */
export function Picture({ answer: { mediaType = '' }, body }: { readonly answer: Answer; readonly body: Blob }) {
  const image = useRef<HTMLImageElement>(null)
  const [said, say] = useState('')
  useEffect(() => {
    const url = URL.createObjectURL(body.slice(0, body.size, mediaType))
    if (image.current) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [body, mediaType])
  return (
    <figure class="picture">
      <img
        ref={image}
        alt="Response"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => say(`${naturalWidth} × ${naturalHeight} pixels`)}
        onError={() => say('The browser cannot show this picture. Download it to open it.')}
      />
      <figcaption>{said}</figcaption>
    </figure>
  )
}
