/** What the person at the keyboard did not expect, in plain words; shown without a stack. */
export class Refusal extends Error {
  /** 2: the call was wrong, nothing was done. 1: the work could not be done, or not to its end. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 2) {
    super(message)
    this.name = 'Refusal'
    this.exitCode = exitCode
  }
}
