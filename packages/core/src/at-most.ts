/** Waits for `work`, which never rejects, but no longer than `ms`. True if it has ended. */
export function atMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
