import { BucketError, type SiteBucket } from '../../../src/store/sites/stored-sites.ts'

/** What is wrong with a bucket, for some time. */
interface BucketTrouble {
  untilMs: number
  /** The part of the requests that fails. */
  rate: number
}

/** A bucket in memory. Its requests are part of the call to the store that makes them. */
export interface SimulatedBucket extends SiteBucket {
  readonly trouble: BucketTrouble
}

export function createBucket(now: () => number, random: () => number): SimulatedBucket {
  const objects = new Map<string, Uint8Array>()
  const trouble: BucketTrouble = { untilMs: 0, rate: 0 }
  const place = 's3://simulation'
  const request = async <Value>(work: () => Value): Promise<Value> => {
    if (trouble.untilMs > now() && random() < trouble.rate)
      throw new BucketError(`Cannot use the bucket ${place}: AccessDenied`, { code: 'AccessDenied', isTemporary: false })
    return work()
  }
  return {
    place,
    trouble,
    put: (name, bytes) => request(() => void objects.set(name, bytes)),
    read: (name, range) => request(() => objects.get(name)?.slice(range?.start, range?.end)),
    delete: (name) => request(() => void objects.delete(name)),
    list: (after) => request(() => [...objects.keys()].filter((name) => name > after).toSorted()),
    close: () => undefined,
  }
}
