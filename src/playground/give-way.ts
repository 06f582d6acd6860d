/** Lets the browser draw and take keys before what follows. */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
