/** Whether a GitHub can deliver webhooks to an address: that of the internet refuses one that is on no public network. */
export function canDeliver(githubUrl: string, baseUrl: string): boolean {
  return isPublic(baseUrl) || !isPublic(githubUrl)
}

function isPublic(address: string): boolean {
  const { hostname } = new URL(address)
  return !/^(localhost|.*\.local(host)?|127\..*|\[::1\]|0\.0\.0\.0|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/i.test(
    hostname,
  )
}
