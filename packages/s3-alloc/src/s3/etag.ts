import { StoreUnsafeError } from '@shard/core'

/**
 * How the store wants an ETag spelt in `If-Match`. As it was given, says HTTP; Ceph 16 gives it in quotes and
 * compares without. Each refusal of an ETag that the object still has turns to the other spelling.
 */
export class EtagSpelling {
  #isTurned = false

  /** Does the store want it otherwise than it gives it? */
  get isTurned(): boolean {
    return this.#isTurned
  }

  spell(etag: string): string {
    if (!this.#isTurned) return etag
    return /^".*"$/.test(etag) ? etag.slice(1, -1) : `"${etag}"`
  }

  /** An attempt that was spelt in the given way was refused, although the object has that ETag. */
  refused(wasTurned: boolean): void {
    // Of several attempts that were refused at once, the first has turned it already.
    if (wasTurned === this.#isTurned) this.#isTurned = !wasTurned
  }
}

/**
 * The ETag of an object that was read.
 * @throws StoreUnsafeError if there is none, or a weak one, which two different objects may share
 */
export function strongEtag(etag: string | null): string {
  if (etag === null || etag === '') throw new StoreUnsafeError('the store gave an object without an ETag')
  if (/^W\//i.test(etag)) throw new StoreUnsafeError(`the store gave an object with the weak ETag ${etag}`)
  return etag
}
